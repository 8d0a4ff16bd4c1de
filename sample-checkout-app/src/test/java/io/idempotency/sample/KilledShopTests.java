package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Ledger;
import io.idempotency.testsupport.TestServers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills the shop while it waits for an invoice, and sends the same event again. */
class KilledShopTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String NEVER_ENDING_INVOICE = "sample.invoice.latency=1h";

    private final String event = event(unique("evt"), unique("order"));

    @TempDir
    private Path directory;

    @Test
    void whatAKilledShopClaimedAndRecordedIsThereAfterARestart() {
        String lease = "idempotency.lease=5m";
        String key = unique("key");
        String order = order(unique("order"), "ada@example.com", 120000);
        HttpResponse<String> paid;
        try (ShopProcess killed = ShopProcess.start(directory, List.of(lease, NEVER_ENDING_INVOICE))) {
            ShopClient shop = startProvisioning(killed);
            paid = shop.checkout(key, order);
            killed.kill();
        }

        try (ShopProcess restarted = ShopProcess.start(directory, List.of(lease))) {
            ShopClient shop = restarted.awaitStart();
            HttpResponse<String> provisioned = shop.deliver(event);
            HttpResponse<String> paidAgain = shop.checkout(key, order);

            assertThat(provisioned.statusCode()).isEqualTo(409);
            assertThat(provisioned.headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(paidAgain.body()).isEqualTo(paid.body());
            assertThat(paidAgain.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(shop.ledger()).isEqualTo(new Ledger(1, 1, 0, 1, 0, 1, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgres,redis"})
    void anotherNodeRefusesUntilTheLeaseIsOverAndThenProvisionsOnce(String profiles) {
        List<String> properties = servers(profiles);
        properties.add("idempotency.lease=20s");
        try (ShopProcess survivor = ShopProcess.start(directory, properties)) {
            ShopClient shop = survivor.awaitStart();
            List<String> slow = new ArrayList<>(properties);
            slow.add(NEVER_ENDING_INVOICE);
            try (ShopProcess killed = ShopProcess.start(directory, slow)) {
                startProvisioning(killed);
                killed.kill();
            }

            assertThat(shop.deliver(event).statusCode()).isEqualTo(409);
            assertThat(shop.ledger().invoices()).isZero();

            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> shop.deliver(event).statusCode() == 200);
            assertThat(shop.deliver(event).headers().firstValue("Idempotent-Replayed"))
                    .hasValue("true");
            assertThat(shop.ledger().executions()).isEqualTo(1);
            assertThat(shop.ledger().invoices()).isEqualTo(1);
        }
    }

    private ShopClient startProvisioning(ShopProcess started) {
        ShopClient shop = started.awaitStart();
        shop.deliverLater(event);
        await().atMost(PATIENCE).until(() -> shop.ledger().executions() == 1);
        return shop;
    }

    /** Both nodes use the same servers and schema, which no other test uses. */
    private static List<String> servers(String profiles) {
        TestServers.Postgres postgres = TestServers.postgres();
        TestServers.Redis redis = TestServers.redis();
        String schema = unique("killed").replace("-", "");
        return new ArrayList<>(List.of(
                "spring.profiles.active=" + profiles,
                "spring.datasource.url=" + ShopDatabases.inSchema(postgres.url(), schema),
                "spring.datasource.username=" + postgres.username(),
                "spring.datasource.password=" + postgres.password(),
                "spring.flyway.schemas=" + schema,
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port()));
    }
}
