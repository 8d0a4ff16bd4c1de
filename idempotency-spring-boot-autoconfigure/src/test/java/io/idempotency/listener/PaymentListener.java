package io.idempotency.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

/** Counts what it executes, and can be held up in the middle of it. */
class PaymentListener {

    private final Map<String, Integer> executions = new ConcurrentHashMap<>();

    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    // snippet:listener
    @KafkaListener(id = "payments", topics = "payments")
    @Idempotent(operation = "record-payment", key = "#id", retention = "7d")
    void recordPayment(@Header(KafkaHeaders.RECEIVED_KEY) String id, @Payload String payment) {
        record(id);
    }
    // end:listener

    private void record(String id) {
        executions.merge(id, 1, Integer::sum);
        CountDownLatch gate = gates.get(id);
        if (gate != null) {
            await(gate);
        }
    }

    int executions(String id) {
        return executions.getOrDefault(id, 0);
    }

    /** Lets the execution of a message wait. */
    CountDownLatch gate(String id) {
        CountDownLatch gate = new CountDownLatch(1);
        gates.put(id, gate);
        return gate;
    }

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
