package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.event;
import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.testsupport.TestServers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the shop while it waits for an invoice, and sends the same event again. */
class KilledShopTests {

    private static final String NEVER_ENDING_INVOICE = "sample.invoice.latency=1h";

    private final String event = event(unique("evt"), unique("order"));

    @TempDir
    private Path directory;

    @Test
    void theClaimOfAKilledShopIsStillHeldAfterARestart() {
        String lease = "idempotency.lease=5m";
        killWhileProvisioning(ShopProcess.start(directory, lease, NEVER_ENDING_INVOICE));

        try (ShopProcess restarted = ShopProcess.start(directory, lease)) {
            HttpResponse<String> answer = restarted.awaitStart().deliver(event);

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(restarted.awaitStart().ledger().invoices()).isZero();
        }
    }

    @Test
    void anotherNodeRefusesUntilTheLeaseIsOverAndThenProvisionsOnce() {
        String[] database = postgres("idempotency.lease=12s");
        try (ShopProcess survivor = ShopProcess.start(directory, database)) {
            ShopClient shop = survivor.awaitStart();
            killWhileProvisioning(ShopProcess.start(directory, with(database, NEVER_ENDING_INVOICE)));

            assertThat(shop.deliver(event).statusCode()).isEqualTo(409);
            assertThat(shop.ledger().invoices()).isZero();

            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> shop.deliver(event).statusCode() == 200);
            assertThat(shop.deliver(event).headers().firstValue("Idempotent-Replayed"))
                    .hasValue("true");
            assertThat(shop.ledger().executions()).isEqualTo(1);
            assertThat(shop.ledger().invoices()).isEqualTo(1);
        }
    }

    private void killWhileProvisioning(ShopProcess started) {
        try (started) {
            ShopClient shop = started.awaitStart();
            shop.deliverLater(event);
            await().until(() -> shop.ledger().executions() == 1);
        }
    }

    private static String[] postgres(String property) {
        TestServers.Postgres server = TestServers.postgres();
        String schema = unique("killed").replace("-", "");
        return new String[] {
            property,
            "spring.profiles.active=postgres",
            "spring.datasource.url=" + ShopDatabases.inSchema(server.url(), schema),
            "spring.datasource.username=" + server.username(),
            "spring.datasource.password=" + server.password(),
            "spring.flyway.schemas=" + schema
        };
    }

    private static String[] with(String[] properties, String oneMore) {
        String[] all = Arrays.copyOf(properties, properties.length + 1);
        all[properties.length] = oneMore;
        return all;
    }
}
