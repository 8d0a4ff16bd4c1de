package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class TransactionalHandlerTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.withDatabase(
                    TransactionalBookings.class, TransactionalBookings.Audit.class)
            .with("spring.datasource.hikari.connection-timeout=5000");

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void emptyTheTable() {
        client().sql("DELETE FROM booking").update();
    }

    @Test
    void aReplayRendersTheRecordedValueAgain() {
        HttpResponse<String> first = post("/bookings", "{\"seat\":\"4A\"}");
        HttpResponse<String> replay = post("/bookings", "{ \"seat\": \"4A\" }");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.body()).isEqualTo(first.body()).contains("4A");
        assertThat(replay.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"))
                .isPresent();
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aHandlerThatReturnsNothingIsReplayedWithItsStatus() {
        assertThat(post("/nothing", "{}").statusCode()).isEqualTo(204);
        HttpResponse<String> replay = post("/nothing", "{}");

        assertThat(replay.statusCode()).isEqualTo(204);
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void whatTheHandlerThrowsRollsBackAndFreesTheKey() {
        assertThat(post("/throwing", "{}").statusCode()).isEqualTo(402);
        assertThat(rows()).isZero();

        HttpResponse<String> again = post("/throwing", "{}");

        assertThat(again.statusCode()).isEqualTo(402);
        assertThat(again.body()).isNotEqualTo(post("/throwing", "{}").body());
        assertThat(rows()).isZero();
    }

    @Test
    void aRecordedFailureIsToldAndNothingRuns() {
        HttpResponse<String> first = post("/recording", "{}");
        HttpResponse<String> second = post("/recording", "{}");

        assertThat(first.statusCode()).isEqualTo(402);
        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(second.body()).contains("recorded-failure");
        assertThat(rows()).isZero();
    }

    @Test
    void withoutAKeyAnOptionalOperationRunsOutsideOfTransactions() {
        assertThat(application.post("/optional", "{}").body()).isEqualTo("false");
        assertThat(post("/optional", "{}").body()).isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 425, 429, 500, 503})
    void aReturnedFailureRollsBackAndFreesTheKey(int status) {
        HttpResponse<String> first = post("/answering/" + status, "{}");
        HttpResponse<String> second = post("/answering/" + status, "{}");

        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(second.statusCode()).isEqualTo(status);
        assertThat(second.body()).isNotEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409, 422})
    void anyOtherReturnedStatusIsAnOutcome(int status) {
        HttpResponse<String> first = post("/answering/" + status, "{}");
        HttpResponse<String> second = post("/answering/" + status, "{}");

        assertThat(second.statusCode()).isEqualTo(status);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aReturnedFailureMayBeTheOutcome() {
        HttpResponse<String> first = post("/storing", "{}");

        assertThat(post("/storing", "{}").body()).isEqualTo(first.body());
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void refusalsAreProblems() {
        assertThat(application.post("/bookings", "{\"seat\":\"4A\"}").body()).contains("key-missing");
        post("/bookings", "{\"seat\":\"4A\"}");
        HttpResponse<String> misuse = post("/bookings", "{\"seat\":\"4B\"}");

        assertThat(misuse.statusCode()).isEqualTo(422);
        assertThat(misuse.body()).contains("key-reused").doesNotContain("4A");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aDuplicateOfARunningRequestIsToldToComeBack() throws InterruptedException {
        CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> post("/slow", "{}"));
        assertThat(TransactionalBookings.entered.await(20, TimeUnit.SECONDS)).isTrue();

        HttpResponse<String> duplicate = post("/slow", "{}");
        TransactionalBookings.gate.countDown();

        assertThat(duplicate.statusCode()).isEqualTo(409);
        assertThat(duplicate.body()).contains("in-progress");
        assertThat(duplicate.headers().firstValue("Retry-After")).isPresent();
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void withoutAConnectionForTheTransactionNothingRunsAndTheRequestMayBeSentAgain() throws SQLException {
        HikariDataSource pool = application.bean(HikariDataSource.class);
        List<Connection> taken = new ArrayList<>();
        HttpResponse<String> refused;
        try {
            while (taken.size() < pool.getMaximumPoolSize()) {
                taken.add(pool.getConnection());
            }
            refused = post("/bookings", "{\"seat\":\"4A\"}");
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("store-unavailable").doesNotContain("4A");
        assertThat(rows()).isZero();
        assertThat(post("/bookings", "{\"seat\":\"4A\"}").statusCode()).isEqualTo(201);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aServiceWithoutAKeyIsNotTheFaultOfTheClient() {
        HttpResponse<String> response = post("/auditing", "{}");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("key-missing");
        assertThat(rows()).isZero();
    }

    private static HttpResponse<String> post(String path, String body, String key) {
        return application.post(path, body, "Idempotency-Key", key);
    }

    private HttpResponse<String> post(String path, String body) {
        return post(path, body, key);
    }

    private static int rows() {
        return client().sql("SELECT count(*) FROM booking").query(Integer.class).single();
    }

    private static JdbcClient client() {
        return application.bean(JdbcClient.class);
    }
}
