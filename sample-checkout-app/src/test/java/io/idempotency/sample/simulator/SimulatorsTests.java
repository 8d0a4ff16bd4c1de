package io.idempotency.sample.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulatorsTests {

    private static final String CHARGE =
            "{\"orderId\": \"order\", \"email\": \"ada@example.com\", \"plan\": \"annual\", \"amountCents\": 5}";

    private static final String MAIL =
            "{\"orderId\": \"order\", \"reference\": \"acc\", \"recipient\": \"ada@example.com\", \"subject\": \"Welcome\"}";

    private final HttpClient http = HttpClient.newHttpClient();

    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    private Simulators simulators;

    @BeforeEach
    void start() throws IOException {
        simulators = started(0, 0);
    }

    @AfterEach
    void stop() {
        simulators.close();
    }

    @Test
    void theGatewayChargesOnceForOneKey() throws Exception {
        JsonNode first = json(post("/charges", "key", CHARGE));
        JsonNode second = json(post("/charges", "key", CHARGE));

        assertThat(second.get("id")).isEqualTo(first.get("id"));
        assertThat(count("charges")).isEqualTo(1);
        assertThat(post("/charges", "key", CHARGE.replace("5", "6")).statusCode())
                .isEqualTo(422);
    }

    @Test
    void theGatewayChargesForEachRequestWithoutAKey() throws Exception {
        post("/charges", "", CHARGE);
        post("/charges", "", CHARGE);

        assertThat(count("charges")).isEqualTo(2);
    }

    @Test
    void theMailServiceIgnoresKeys() throws Exception {
        post("/mails", "key", MAIL);
        post("/mails", "key", MAIL);

        assertThat(count("mails")).isEqualTo(2);
        assertThat(json(get("/mails?reference=acc"))).hasSize(2);
        assertThat(json(get("/mails?reference=other"))).isEmpty();
    }

    @Test
    void theFirstMailsAreRefusedAndTheFirstRepliesLostAsTheyWereStarted() throws Exception {
        simulators.close();
        simulators = started(1, 1);

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> post("/charges", "key", CHARGE));
        assertThat(count("charges")).isEqualTo(1);
        assertThat(post("/charges", "key", CHARGE).statusCode()).isEqualTo(200);
        assertThat(post("/mails", "key", MAIL).statusCode()).isEqualTo(503);
        assertThat(count("mails")).isZero();
        assertThat(post("/mails", "key", MAIL).statusCode()).isEqualTo(200);
    }

    @Test
    void theirTablesOutliveThem() throws Exception {
        String charge = json(post("/charges", "key", CHARGE)).get("id").asString();
        simulators.close();
        simulators = started(0, 0);

        assertThat(json(post("/charges", "key", CHARGE)).get("id").asString()).isEqualTo(charge);
        assertThat(count("charges")).isEqualTo(1);
    }

    @Test
    void theLedgerIsThatOfOneOrderIfAsked() throws Exception {
        post("/charges", "", CHARGE);
        post("/charges", "", CHARGE.replace("\"order\"", "\"other\""));

        assertThat(json(get("/ledger?orderId=other")).at("/charges/count").asInt())
                .isEqualTo(1);
        assertThat(json(get("/ledger?orderId=other"))
                        .at("/charges/newest/0/orderId")
                        .asString())
                .isEqualTo("other");
    }

    @Test
    void theLedgerCountsAllAndListsTheNewestHundred() throws Exception {
        JdbcClient.create(new DriverManagerDataSource(database))
                .sql(
                        "insert into charges (id, order_id, amount_cents) select x, 'order-' || x, 5 from system_range(1, 101)")
                .update();

        JsonNode charges = json(get("/ledger")).get("charges");
        assertThat(charges.get("count").asInt()).isEqualTo(101);
        assertThat(charges.get("amountCents").asInt()).isEqualTo(505);
        assertThat(charges.get("newest")).hasSize(100);
        assertThat(json(get("/ledger?orderId=order-1"))
                        .at("/charges/amountCents")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void whatCannotBeUnderstoodIsRefused() throws Exception {
        assertThat(post("/charges", "key", "{").statusCode()).isEqualTo(400);
        assertThat(post("/mails", "key", " ".repeat(100_000)).statusCode()).isEqualTo(400);
    }

    @Test
    void anEventThatCannotBeSentIsNotedAsOne() throws Exception {
        simulators.close();
        simulators = started(0, 0, 1, () -> {
            throw new IllegalStateException("The shop has no port yet");
        });

        post("/charges", "key", CHARGE);

        await().atMost(Duration.ofMinutes(1)).until(() -> count("deliveries") == 1);
        assertThat(json(get("/ledger")).at("/deliveries/newest/0/answer").asString())
                .isEqualTo("unreachable");
    }

    private Simulators started(int mailFailures, int lostReplies) throws IOException {
        return started(mailFailures, lostReplies, 0, () -> URI.create("http://localhost/never"));
    }

    private Simulators started(int mailFailures, int lostReplies, int webhookAttempts, Supplier<URI> shop)
            throws IOException {
        return new Simulators(
                new SimulatorProperties(
                        new SimulatorProperties.Simulators(null, 0, database),
                        new SimulatorProperties.Gateway(
                                lostReplies, null, Duration.ofSeconds(10), Duration.ofSeconds(1), webhookAttempts),
                        new SimulatorProperties.Invoice(Duration.ZERO),
                        new SimulatorProperties.Mail(mailFailures, Duration.ZERO)),
                "whsec_c2VjcmV0",
                shop);
    }

    private int count(String entries) throws Exception {
        return json(get("/ledger")).at("/" + entries + "/count").asInt();
    }

    private HttpResponse<String> post(String path, String key, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(simulators.url().resolve(path)).POST(BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(simulators.url().resolve(path)).build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }
}
