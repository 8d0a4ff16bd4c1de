package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Handlers that book in the database, whose bookings are committed with their responses. */
@RestController
class TransactionalBookings {

    static final CountDownLatch entered = new CountDownLatch(1);

    static final CountDownLatch gate = new CountDownLatch(1);

    private final AtomicInteger runs = new AtomicInteger();

    private final JdbcClient client;

    private final Audit audit;

    TransactionalBookings(JdbcClient client, Audit audit) {
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

    record Booking(String seat) {}

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
