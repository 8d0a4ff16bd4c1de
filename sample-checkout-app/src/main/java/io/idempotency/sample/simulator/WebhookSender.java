package io.idempotency.sample.simulator;

import io.idempotency.sample.identifier.Identifiers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the gateway's events to the shop until it gets a 2xx, waiting longer each time. What is still to be sent when the
 * process ends is forgotten.
 */
final class WebhookSender implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(WebhookSender.class);

    private static final String UNREACHABLE = "unreachable";

    private static final int THREADS = 4;

    private final HttpClient http = HttpClient.newHttpClient();

    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(THREADS, DaemonThreads.named("gateway-webhook"));

    private final JdbcClient jdbc;

    private final CurrentSettings settings;

    private final WebhookSignature signature;

    private final Supplier<URI> shop;

    WebhookSender(JdbcClient jdbc, CurrentSettings settings, WebhookSignature signature, Supplier<URI> shop) {
        this.jdbc = jdbc;
        this.settings = settings;
        this.signature = signature;
        this.shop = shop;
    }

    void send(WebhookEvent event) {
        send(
                new Message(Identifiers.next("msg"), event, JsonMapper.shared().writeValueAsString(event)),
                1,
                Duration.ZERO);
    }

    private void send(Message message, int attempt, Duration delay) {
        if (attempt <= settings.get().webhookAttempts()) {
            ScheduledFuture<?> unused =
                    threads.schedule(() -> tryToDeliver(message, attempt), delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The scheduler would keep a failure to itself. */
    private void tryToDeliver(Message message, int attempt) {
        try {
            deliver(message, attempt);
        } catch (RuntimeException failure) {
            logger.error("A webhook is not sent any more", failure);
        }
    }

    private void deliver(Message message, int attempt) {
        String answer = answer(message);
        jdbc.sql("insert into deliveries (event_id, type, order_id, attempt, answer) values (?, ?, ?, ?, ?)")
                .params(
                        message.event().id(),
                        message.event().type(),
                        message.event().data().orderId(),
                        attempt,
                        answer)
                .update();
        if (!answer.startsWith("2")) {
            send(message, attempt + 1, settings.get().webhookBackOff().multipliedBy(1L << Math.min(attempt - 1, 10)));
        }
    }

    private String answer(Message message) {
        try {
            return post(message);
        } catch (RuntimeException failure) {
            logger.error("A webhook cannot be sent", failure);
            return UNREACHABLE;
        }
    }

    private String post(Message message) {
        String timestamp = String.valueOf(Instant.now().getEpochSecond());
        HttpRequest request = HttpRequest.newBuilder(shop.get())
                .timeout(settings.get().webhookTimeout())
                .header("Content-Type", "application/json")
                .header("webhook-id", message.id())
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", signature.of(message.id(), timestamp, message.body()))
                .POST(BodyPublishers.ofString(message.body()))
                .build();
        try {
            HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
            return String.valueOf(response.statusCode());
        } catch (HttpTimeoutException silence) {
            return "timeout";
        } catch (IOException failure) {
            return UNREACHABLE;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "stopped";
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** A message of Standard Webhooks: the same identifier and body in every delivery. */
    private record Message(String id, WebhookEvent event, String body) {}
}
