package io.idempotency.sample;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Calls the shop over HTTP, as a browser or the payment gateway would. */
final class ShopClient {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();

    private final String shop;

    ShopClient(int port) {
        this.shop = "http://localhost:" + port;
    }

    /** Returns a name that no other test uses, such as an order number or a key. */
    static String unique(String prefix) {
        return prefix + "_" + UUID.randomUUID();
    }

    static String event(String eventId, String orderId) {
        return event(eventId, "checkout.completed", orderId, 120000);
    }

    static String event(String eventId, String type, String orderId, long amountCents) {
        String template = """
                {"source": "acme-pay", "id": "%s", "type": "%s", "occurredAt": "%s",
                 "data": {"orderId": "%s", "email": "ada@example.com", "plan": "annual", "amountCents": %d}}""";
        return template.formatted(eventId, type, Instant.now(), orderId, amountCents);
    }

    /** Returns an event that happened at another time. */
    static String at(String time, String event) {
        return event.replaceFirst("\"occurredAt\": \"[^\"]*\"", "\"occurredAt\": \"%s\"".formatted(time));
    }

    static String order(String orderId, String email, long amountCents) {
        return """
                {"orderId": "%s", "email": "%s", "plan": "annual", "amountCents": %d}""".formatted(orderId, email, amountCents);
    }

    String url() {
        return shop;
    }

    static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    static boolean isReplay(HttpResponse<String> response) {
        return response.headers()
                .firstValue("Idempotent-Replayed")
                .filter("true"::equals)
                .isPresent();
    }

    HttpResponse<String> deliver(String event) {
        return deliverLater(event).join();
    }

    CompletableFuture<HttpResponse<String>> deliverLater(String event) {
        return deliverLater(Delivery.signed(event));
    }

    HttpResponse<String> deliver(Delivery delivery) {
        return deliverLater(delivery).join();
    }

    private CompletableFuture<HttpResponse<String>> deliverLater(Delivery delivery) {
        HttpRequest.Builder request = post("/webhooks/payments", delivery.event());
        delivery.headers().forEach(request::header);
        return send(request);
    }

    HttpResponse<String> checkout(String key, String order) {
        return checkoutLater(key, order).join();
    }

    CompletableFuture<HttpResponse<String>> checkoutLater(String key, String order) {
        return send(post("/api/checkouts", order).header("Idempotency-Key", key));
    }

    HttpResponse<String> checkoutWithoutKey(String order) {
        return send(post("/api/checkouts", order)).join();
    }

    HttpResponse<String> captureLead(String key, String email) {
        return send(post("/api/leads", "{\"email\": \"%s\"}".formatted(email)).header("Idempotency-Key", key))
                .join();
    }

    HttpResponse<String> killWorker(String key, String order) {
        return send(post("/api/workers", order).header("Idempotency-Key", key).timeout(Duration.ofMinutes(5)))
                .join();
    }

    HttpResponse<String> get(String path) {
        return send(request(path)).join();
    }

    Ledger ledger() {
        return JSON.readValue(get("/api/ledger").body(), Ledger.class);
    }

    /** Returns the ledger of one order. */
    Ledger ledger(String orderId) {
        String encoded = URLEncoder.encode(orderId, StandardCharsets.UTF_8);
        return JSON.readValue(get("/api/ledger?orderId=" + encoded).body(), Ledger.class);
    }

    /** Returns the number of the last that happened to any key. */
    long lastOfTimeline() {
        return timeline(0)
                .mapToLong(entry -> entry.get("number").asLong())
                .max()
                .orElse(0);
    }

    /** Returns the kinds of what happened since to the keys of an operation. */
    List<String> timelineSince(long number, String operation) {
        return timeline(number)
                .filter(entry -> entry.get("operation").asString().equals(operation))
                .map(entry -> entry.get("kind").asString())
                .toList();
    }

    private Stream<JsonNode> timeline(long after) {
        return json(get("/api/timeline?after=" + after)).get("entries").valueStream();
    }

    /** Returns what the gateway got as answers to the webhooks of an order, the first one first. */
    List<String> answersToWebhooks(String orderId) {
        return json(get("/api/ledger?orderId=" + orderId))
                .at("/simulators/deliveries/newest")
                .valueStream()
                .sorted(Comparator.comparingInt(
                        delivery -> delivery.get("attempt").asInt()))
                .map(delivery -> delivery.get("answer").asString())
                .toList();
    }

    /** Changes some of the settings of the simulated systems. */
    void change(Map<String, ?> settings) {
        HttpResponse<String> answer = tryToChange(settings);
        if (answer.statusCode() != 200) {
            throw new IllegalArgumentException(answer.body());
        }
    }

    HttpResponse<String> tryToChange(Map<String, ?> settings) {
        ObjectNode changed = (ObjectNode) json(get("/api/simulators/settings"));
        settings.forEach(changed::putPOJO);
        return putSettings(changed.toString());
    }

    HttpResponse<String> putSettings(String settings) {
        return send(request("/api/simulators/settings")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(settings)))
                .join();
    }

    private HttpRequest.Builder post(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(shop + path)).timeout(Duration.ofMinutes(1));
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** The ledger as a caller sees it. */
    record Ledger(
            long charges,
            long accounts,
            long invoices,
            long emails,
            long executions,
            long replays,
            long conflicts,
            JsonNode shop,
            JsonNode simulators) {

        /** Returns the numbers that the shop has after other numbers were added to these. */
        Counts since(Ledger earlier) {
            return new Counts(
                    charges - earlier.charges,
                    accounts - earlier.accounts,
                    invoices - earlier.invoices,
                    emails - earlier.emails,
                    executions - earlier.executions,
                    replays - earlier.replays,
                    conflicts - earlier.conflicts);
        }

        Made made() {
            return new Made(charges, accounts, invoices, emails);
        }
    }

    /** What was added to the numbers of a ledger. */
    record Counts(
            long charges, long accounts, long invoices, long emails, long executions, long replays, long conflicts) {}

    /** Money moved and documents made. */
    record Made(long charges, long accounts, long invoices, long emails) {}
}
