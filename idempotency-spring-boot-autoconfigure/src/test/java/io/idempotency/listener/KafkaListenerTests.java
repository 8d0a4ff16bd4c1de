package io.idempotency.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.json.JsonFingerprints;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ErrorHandlingUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

/** A real broker, and a group of two consumers of which one has the only partition. */
@Tag("faults")
@Tag("faults-long")
class KafkaListenerTests {

    /** After so many the error handler of Spring for Apache Kafka gives a message up. */
    private static final int DELIVERIES_BY_DEFAULT = 10;

    private static final int DELIVERIES_OF_A_FAILURE = 4;

    private static final PaymentsBroker BROKER = new PaymentsBroker();

    private static ConfigurableApplicationContext context = new SpringApplicationBuilder().context();

    private final List<Class<?>> refusals = new CopyOnWriteArrayList<>();

    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "shop.redelivery-pause=200ms",
                        "idempotency.namespace=shop",
                        "spring.kafka.bootstrap-servers=" + BROKER.start(),
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "spring.kafka.consumer.properties.heartbeat.interval.ms=500",
                        "spring.kafka.consumer.properties.max.poll.interval.ms=5000",
                        "spring.kafka.listener.concurrency=2")
                .run();
    }

    @AfterAll
    static void stop() {
        context.close();
        BROKER.stop();
    }

    @BeforeEach
    void countRefusals() {
        context.getBean(DefaultErrorHandler.class)
                .setRetryListeners((message, thrown, attempt) ->
                        refusals.add(ErrorHandlingUtils.unwrapIfNeeded(thrown).getClass()));
    }

    /** The broker gives the partition to the other consumer, which meets the claim of the first. */
    @Test
    void aConsumerThatIsThrownOutOfItsGroupWhileItWorksIsFollowedByItsReplay() {
        CountDownLatch gate = payments().gate(id);

        send("10 EUR");
        patiently().until(() -> refusals.size() > DELIVERIES_BY_DEFAULT);
        gate.countDown();

        awaitCommit();
        assertThat(refusals).containsOnly(OperationInProgressException.class);
        assertThat(payments().executions(id)).isEqualTo(1);
    }

    /** As after a crash between the recording and the commit of the offset. */
    @Test
    void aMessageThatIsRedeliveredExecutesNothing() {
        send("10 EUR");
        awaitCommit();
        MessageListenerContainer container = container();
        container.stop();
        BROKER.forgetLastCommit();
        container.start();

        awaitCommit();
        assertThat(payments().executions(id)).isEqualTo(1);
    }

    @Test
    void aMessageWhoseHolderDiedRunsWhenItsLeaseIsOver() {
        IdempotencyStore store = context.getBean(IdempotencyStore.class);
        Claim holder = claim(store);

        send("10 EUR");
        patiently().until(() -> {
            store.renew(List.of(holder));
            return refusals.size() > DELIVERIES_BY_DEFAULT;
        });
        // From here on nobody renews it.
        awaitCommit();

        assertThat(payments().executions(id)).isEqualTo(1);
        assertThat(refusals).containsOnly(OperationInProgressException.class);
    }

    @Test
    void aMessageIsNotLostHoweverLongTheStoreIsDown() {
        context.getBean(SwitchableStore.class).setDown(true);
        try {
            send("10 EUR");
            patiently().until(() -> refusals.size() > DELIVERIES_BY_DEFAULT);
        } finally {
            context.getBean(SwitchableStore.class).setDown(false);
        }

        awaitCommit();
        assertThat(refusals).containsOnly(IdempotencyStoreException.class);
        assertThat(payments().executions(id)).isEqualTo(1);
    }

    @Test
    void aMessageThatReusesAKeyIsADeadLetterAtOnce() {
        send("10 EUR");
        send("20 EUR");
        awaitCommit();

        assertThat(payments().executions(id)).isEqualTo(1);
        assertThat(refusals).hasSizeLessThan(DELIVERIES_OF_A_FAILURE).containsOnly(FingerprintMismatchException.class);
        patiently()
                .untilAsserted(() -> assertThat(context.getBean(DeadLetters.class).received)
                        .contains(id + ": 20 EUR")
                        .doesNotContain(id + ": 10 EUR"));
    }

    /** Claims the operation of the message for a holder of its own. */
    private Claim claim(IdempotencyStore store) {
        ClaimOutcome outcome = store.claim(ClaimRequest.of(
                Identity.of("shop", "record-payment", null, id),
                new JsonFingerprints().of(id, "10 EUR"),
                OwnerToken.random(),
                OperationPolicy.DEFAULT.withLease(Duration.ofSeconds(10))));
        assertThat(outcome).isInstanceOf(ClaimOutcome.Granted.class);
        return ((ClaimOutcome.Granted) outcome).claim();
    }

    private void send(String payment) {
        template().send("payments", id, payment).join();
    }

    @SuppressWarnings("unchecked") // by its serializers
    private static KafkaTemplate<String, String> template() {
        return context.getBean(KafkaTemplate.class);
    }

    private static PaymentListener payments() {
        return context.getBean(PaymentListener.class);
    }

    private static MessageListenerContainer container() {
        MessageListenerContainer container =
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("payments");
        assertThat(container).isNotNull();
        return container;
    }

    private static void awaitCommit() {
        patiently().until(BROKER::isEverythingCommitted);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(120)).pollInterval(Duration.ofMillis(200));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        IdempotencyAutoConfiguration.class,
        IdempotentMethodAutoConfiguration.class,
        KafkaAutoConfiguration.class
    })
    @Import({KafkaRefusals.class, PaymentListener.class, DeadLetters.class, SwitchableStore.class})
    static class Shop {

        @Bean
        IdempotencyStore store(SwitchableStore switchable) {
            return switchable.store();
        }
    }

    static class DeadLetters {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @KafkaListener(topics = "payments-dlt", groupId = "dead-letters")
        void receive(@Header(KafkaHeaders.RECEIVED_KEY) String id, @Payload String payment) {
            received.add(id + ": " + payment);
        }
    }
}
