package io.idempotency.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
        return """
                {"source": "acme-pay", "id": "%s", "type": "%s",
                 "data": {"orderId": "%s", "email": "ada@example.com", "plan": "annual", "amountCents": %d}}""".formatted(eventId, type, orderId, amountCents);
    }

    static String order(String orderId, String email, long amountCents) {
        return """
                {"orderId": "%s", "email": "%s", "plan": "annual", "amountCents": %d}""".formatted(orderId, email, amountCents);
    }

    static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    HttpResponse<String> deliver(String event) {
        return deliverLater(event).join();
    }

    CompletableFuture<HttpResponse<String>> deliverLater(String event) {
        return send(post("/webhooks/payments", event));
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

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(shop + path))).join();
    }

    Ledger ledger() {
        return JSON.readValue(get("/api/ledger").body(), Ledger.class);
    }

    private HttpRequest.Builder post(String path, String body) {
        return HttpRequest.newBuilder(URI.create(shop + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    /** The ledger as a caller sees it. */
    record Ledger(
            long charges, long accounts, long invoices, long emails, long executions, long replays, long conflicts) {

        /** Returns what was added since an earlier look. */
        Ledger since(Ledger earlier) {
            return new Ledger(
                    charges - earlier.charges,
                    accounts - earlier.accounts,
                    invoices - earlier.invoices,
                    emails - earlier.emails,
                    executions - earlier.executions,
                    replays - earlier.replays,
                    conflicts - earlier.conflicts);
        }
    }
}
