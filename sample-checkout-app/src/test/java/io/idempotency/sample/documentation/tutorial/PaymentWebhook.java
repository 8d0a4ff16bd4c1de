package io.idempotency.sample.documentation.tutorial;

import io.idempotency.annotation.Idempotent;
import java.util.Map;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@TestComponent
@RestController
class PaymentWebhook {

    private final JdbcClient jdbc;

    PaymentWebhook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:webhook
    @PostMapping("/webhooks/payments")
    @Idempotent(operation = "payment-event", key = "#event.id", fingerprint = "NONE", retention = "7d")
    Map<String, String> receive(@RequestBody PaymentEvent event) {
        jdbc.sql("insert into invoice (order_id, amount_cents) values (?, ?)")
                .params(event.orderId(), event.amountCents())
                .update();
        return Map.of("invoiced", event.orderId());
    }
    // end:webhook

    // snippet:duplicate
    @ExceptionHandler
    ProblemDetail invoiced(DuplicateKeyException duplicate) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "There is an invoice for this order");
    }
    // end:duplicate

    /** An event of the payment gateway. */
    record PaymentEvent(String id, String orderId, long amountCents) {}
}
