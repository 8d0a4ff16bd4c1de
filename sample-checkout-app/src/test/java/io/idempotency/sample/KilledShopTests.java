package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.isReplay;
import static io.idempotency.sample.ShopClient.order;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.sample.ShopClient.Made;
import io.idempotency.testsupport.TestServers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills the shop in the middle of its work, and sends the same request again. */
class KilledShopTests {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final int simulators = ShopProcess.freePort();

    private final String orderId = unique("order");

    @TempDir
    private Path directory;

    @Test
    void whatAKilledShopClaimedAndRecordedIsThereAfterARestart() {
        List<String> properties = List.of(
                "idempotency.lease=5m",
                "sample.simulators.port=" + simulators,
                "sample.gateway.webhook-attempts=0",
                "sample.invoice.latency=1h");
        String event = event(unique("evt"), unique("order"));
        String key = unique("key");
        String order = order(orderId, "ada@example.com", 120000);
        HttpResponse<String> paid;
        try (ShopProcess killed = ShopProcess.start(directory, properties)) {
            ShopClient shop = killed.awaitStart();
            shop.deliverLater(event);
            await().atMost(PATIENCE).until(() -> shop.ledger().executions() == 1);
            paid = shop.checkout(key, order);
            killed.kill();
        }

        try (ShopProcess restarted = ShopProcess.start(directory, properties)) {
            ShopClient shop = restarted.awaitStart();
            HttpResponse<String> provisioned = shop.deliver(event);
            HttpResponse<String> paidAgain = shop.checkout(key, order);

            assertThat(provisioned.statusCode()).isEqualTo(409);
            assertThat(provisioned.headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(paidAgain.body()).isEqualTo(paid.body());
            assertThat(isReplay(paidAgain)).isTrue();
            assertThat(shop.ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "postgres,redis"})
    @Tag("faults")
    @Tag("faults-long")
    void aNodeThatIsKilledWhenItsMailIsSentAndNotRecordedLeavesOneMail(String profiles) {
        List<String> properties = servers(profiles);
        properties.add("idempotency.lease=10s");
        List<String> first = new ArrayList<>(properties);
        first.add("sample.simulators.port=" + simulators);
        first.add("sample.gateway.webhook-attempts=0");
        // The mail is sent, and its answer comes when nobody is left to hear it.
        first.add("sample.mail.latency=1h");
        String key = unique("key");
        String order = order(orderId, "ada@example.com", 120000);
        try (ShopProcess survivor = ShopProcess.start(directory, first)) {
            ShopClient shop = survivor.awaitStart();
            List<String> second = new ArrayList<>(properties);
            second.add("sample.simulators.url=http://localhost:" + simulators);
            try (ShopProcess killed = ShopProcess.start(directory, second)) {
                killed.awaitStart().checkoutLater(key, order);
                await().atMost(PATIENCE).until(() -> shop.ledger(orderId).emails() == 1);
                killed.kill();
            }

            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> shop.checkout(key, order).statusCode() == 201);
            assertThat(shop.timelineSince(0, "order"))
                    .containsSubsequence("TAKEN_OVER", "STEP_SKIPPED", "STEP_SKIPPED", "STEP_RECORDED", "RECORDED");
            assertThat(shop.ledger(orderId).made()).isEqualTo(new Made(1, 1, 0, 1));
        }
    }

    /** Both nodes use the same servers and schema, which no other test uses. */
    private static List<String> servers(String profiles) {
        if (profiles.isEmpty()) {
            return new ArrayList<>();
        }
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
