package io.idempotency.sample.documentation.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.ResponseEntity;

/** What each step of the tutorial gains. */
@Timeout(120)
class TutorialTests {

    private static final OtherSystems SYSTEMS = new OtherSystems();

    private static TutorialShop shop;

    private final String orderId = "order-" + UUID.randomUUID();

    private final String order = order(120000);

    private final String key = UUID.randomUUID().toString();

    private final String event = """
            {"id": "evt-%s", "orderId": "%s", "amountCents": 120000}""".formatted(orderId, orderId);

    @BeforeAll
    static void start() {
        shop = TutorialShop.start(SYSTEMS, UUID.randomUUID().toString(), "idempotency.store=memory");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void anUnprotectedCheckoutThatIsSentAgainIsChargedAgain() {
        shop.checkout("unprotected", key, order);
        shop.checkout("unprotected", key, order);

        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail", "charge", "account", "mail");
    }

    @Test
    void anIdempotentCheckoutThatIsSentAgainGetsTheFirstAnswer() {
        ResponseEntity<String> first = shop.checkout("idempotent", key, order);
        ResponseEntity<String> second = shop.checkout("idempotent", key, order);

        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(first.getHeaders().getFirst("Idempotent-Replayed")).isNull();
        assertThat(second.getHeaders().getFirst("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void aCheckoutWithoutAKeyIsRefused() {
        assertThat(shop.checkoutWithoutKey("idempotent", order).getStatusCode().value())
                .isEqualTo(400);
        assertThat(SYSTEMS.doneFor(orderId)).isEmpty();
    }

    @Test
    void theSameKeyWithAnotherAmountIsRefused() {
        shop.checkout("idempotent", key, order);

        ResponseEntity<String> other = shop.checkout("idempotent", key, order(99));

        assertThat(other.getStatusCode().value()).isEqualTo(422);
        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
    }

    @Test
    void aDoubleClickIsRefusedWhileTheFirstOneRuns() throws Exception {
        CompletableFuture<ResponseEntity<String>> first;
        try (OtherSystems.Gate gate = SYSTEMS.closeGate()) {
            first = CompletableFuture.supplyAsync(() -> shop.checkout("idempotent", key, order));
            gate.awaitCharge();

            ResponseEntity<String> second = shop.checkout("idempotent", key, order);

            assertThat(second.getStatusCode().value()).isEqualTo(409);
            assertThat(second.getHeaders().getFirst("Retry-After")).isNotNull();
        }
        assertThat(first.join().getStatusCode().value()).isEqualTo(200);
    }

    @Test
    void aDoubleClickMayWaitForTheAnswerOfTheFirstOne() throws Exception {
        CompletableFuture<ResponseEntity<String>> first;
        CompletableFuture<ResponseEntity<String>> second;
        try (OtherSystems.Gate gate = SYSTEMS.closeGate()) {
            first = CompletableFuture.supplyAsync(() -> shop.checkout("stepped", key, order));
            gate.awaitCharge();
            second = CompletableFuture.supplyAsync(() -> shop.checkout("stepped", key, order));
        }

        assertThat(second.join().getBody()).isEqualTo(first.join().getBody());
        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
    }

    @Test
    void withoutStepsTheRetryOfACheckoutWhoseMailFailedIsChargedAgain() {
        SYSTEMS.failNextMail();
        assertThat(shop.checkout("idempotent", key, order).getStatusCode().value())
                .isEqualTo(500);

        shop.checkout("idempotent", key, order);

        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "charge", "account", "mail");
    }

    @Test
    void withStepsItDoesWhatWasNotDone() {
        SYSTEMS.failNextMail();
        assertThat(shop.checkout("stepped", key, order).getStatusCode().value()).isEqualTo(500);

        assertThat(shop.checkout("stepped", key, order).getStatusCode().value()).isEqualTo(200);

        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
    }

    @Test
    void aChargeWhoseReplyWasLostIsMadeOnceSinceTheGatewayKnowsTheKeyOfTheStep() {
        SYSTEMS.loseReplyOfNextCharge();
        assertThat(shop.checkout("stepped", key, order).getStatusCode().value()).isEqualTo(500);

        assertThat(shop.checkout("stepped", key, order).getStatusCode().value()).isEqualTo(200);

        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
    }

    @Test
    void anEventThatIsDeliveredTwiceIsInvoicedOnce() {
        ResponseEntity<String> first = shop.deliver(event);
        ResponseEntity<String> second = shop.deliver(event);

        assertThat(first.getStatusCode().value()).isEqualTo(200);
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(second.getHeaders().getFirst("Idempotent-Replayed")).isEqualTo("true");
        assertThat(shop.invoicedOrders()).containsOnlyOnce(orderId);
    }

    @Test
    void aRestartKnowsWhatTheDatabaseKeeps() {
        String database = UUID.randomUUID().toString();
        ResponseEntity<String> first;
        try (TutorialShop before = TutorialShop.start(SYSTEMS, database, "idempotency.store=jdbc")) {
            first = before.checkout("stepped", key, order);
        }
        try (TutorialShop after = TutorialShop.start(SYSTEMS, database, "idempotency.store=jdbc")) {
            ResponseEntity<String> second = after.checkout("stepped", key, order);

            assertThat(second.getBody()).isEqualTo(first.getBody());
            assertThat(second.getHeaders().getFirst("Idempotent-Replayed")).isEqualTo("true");
        }
        assertThat(SYSTEMS.doneFor(orderId)).containsExactly("charge", "account", "mail");
    }

    @Test
    void withTheStarterSwitchedOffTheConstraintRefusesTheSecondInvoice() {
        try (TutorialShop off =
                TutorialShop.start(SYSTEMS, UUID.randomUUID().toString(), "idempotency.enabled=false")) {
            assertThat(off.deliver(event).getStatusCode().value()).isEqualTo(200);
            assertThat(off.deliver(event).getStatusCode().value()).isEqualTo(409);
            assertThat(off.invoicedOrders()).containsExactly(orderId);
        }
    }

    private String order(long amountCents) {
        return """
                {"id": "%s", "email": "ada@example.com", "amountCents": %d}""".formatted(orderId, amountCents);
    }
}
