package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

class TransactionalHandlerTests {

    private static final CountDownLatch entered = new CountDownLatch(1);

    private static final CountDownLatch gate = new CountDownLatch(1);

    @RegisterExtension
    static final WebApplication application = WebApplication.withDatabase(Bookings.class, Audit.class)
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
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

        HttpResponse<String> duplicate = post("/slow", "{}");
        gate.countDown();

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

    record Booking(String seat) {}

    @RestController
    static class Bookings {

        private final AtomicInteger runs = new AtomicInteger();

        private final JdbcClient client;

        private final Audit audit;

        Bookings(JdbcClient client, Audit audit) {
            this.client = client;
            this.audit = audit;
            client.sql("CREATE TABLE booking (run INTEGER)").update();
        }

        @PostMapping("/bookings")
        @Idempotent(transactional = true)
        ResponseEntity<Booking> book(@RequestBody Booking booking) {
            return ResponseEntity.created(URI.create("/bookings/" + insert())).body(booking);
        }

        @PostMapping("/nothing")
        @ResponseStatus(HttpStatus.NO_CONTENT)
        @Idempotent(transactional = true)
        @Transactional
        public void bookQuietly() {
            insert();
        }

        @PostMapping("/throwing")
        @Idempotent(transactional = true)
        String decline() throws DeclinedException {
            throw new DeclinedException("declined " + insert());
        }

        @PostMapping("/recording")
        @Idempotent(transactional = true, recordFailures = DeclinedException.class)
        String declineForGood() throws DeclinedException {
            return decline();
        }

        @PostMapping("/optional")
        @Idempotent(transactional = true, required = false)
        String isInTransaction() {
            return Boolean.toString(TransactionSynchronizationManager.isActualTransactionActive());
        }

        @PostMapping("/answering/{status}")
        @Idempotent(transactional = true)
        ResponseEntity<String> answer(@PathVariable int status) {
            return ResponseEntity.status(status).body("answer " + insert());
        }

        @PostMapping("/storing")
        @Idempotent(transactional = true, onFailure = OnFailure.STORE)
        ResponseEntity<String> answerForGood() {
            return ResponseEntity.status(503).body("answer " + insert());
        }

        @PostMapping("/slow")
        @Idempotent(transactional = true)
        String bookSlowly() throws InterruptedException {
            insert();
            entered.countDown();
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
            return "booked";
        }

        @PostMapping("/auditing")
        @Idempotent(transactional = true)
        String auditWithoutKey() {
            insert();
            return audit.audit(Map.of());
        }

        @ExceptionHandler
        ResponseEntity<String> handle(DeclinedException declined) {
            return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED).body(declined.getMessage());
        }

        private int insert() {
            int run = runs.incrementAndGet();
            client.sql("INSERT INTO booking VALUES (?)").param(run).update();
            return run;
        }
    }

    static class Audit {

        @Idempotent(key = "#booking['id']")
        String audit(Map<String, String> booking) {
            return "audited " + booking;
        }
    }

    static class DeclinedException extends Exception {

        private static final long serialVersionUID = 1L;

        DeclinedException(String message) {
            super(message);
        }
    }
}
