package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.OnAbandoned;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

class StepMethodVerifierTests extends WithCheckedBeans {

    @ParameterizedTest
    @MethodSource
    void aMethodThatCannotBeAStepStopsTheStart(Class<?> type, String remedy) {
        runner.withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@IdempotentStep")
                        .hasMessageContaining(type.getName() + ".charge(")
                        .hasMessageContaining(remedy));
    }

    static Stream<Arguments> aMethodThatCannotBeAStepStopsTheStart() {
        return Stream.of(
                Arguments.of(Private.class, "private"),
                Arguments.of(Static.class, "static"),
                Arguments.of(Final.class, "final"),
                Arguments.of(FinalClass.class, "final"),
                Arguments.of(Nameless.class, "name"),
                Arguments.of(OfFuture.class, "IdempotencyContext.wrap"),
                Arguments.of(OfMono.class, "for each subscriber"),
                Arguments.of(OfObject.class, "java.lang.Object"),
                Arguments.of(UnknownItem.class, "#order"),
                Arguments.of(UnknownFingerprint.class, "#order"),
                Arguments.of(HeldInATransaction.class, "remove onAbandoned"),
                Arguments.of(InANewTransaction.class, "REQUIRED"),
                Arguments.of(OperationToo.class, "remove one of them"),
                Arguments.of(OfAnAnnotatedClass.class, "annotate the methods"));
    }

    @Test
    void aHandlerOfRequestsCannotBeAStep() {
        runner.withBean(Fine.class)
                .withBean(HandlerMethods.class, () -> new AllAreHandlers(List.of()))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(Fine.class.getName() + ".charge(")
                        .hasMessageContaining("another bean"));
    }

    @Test
    void aBeanThatWasCreatedByHandStopsTheStart() {
        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("byHand", new Fine()))
                .run(context -> assertThat(context).getFailure().hasMessageContaining("'byHand'"));
    }

    @Test
    void aMissingStoreStopsTheStart() {
        storeless
                .withBean(Fine.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("store"));
        storeless.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whatIsInOrderStarts() {
        runner.withBean(Fine.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Fine {

        @IdempotentStep("charge")
        public List<String> charge(String order) {
            return List.of(order);
        }
    }

    static class Private {

        @IdempotentStep("charge")
        private String charge(String order) {
            return order;
        }
    }

    static class Static {

        @IdempotentStep("charge")
        public static String charge(String order) {
            return order;
        }
    }

    static class Final {

        @IdempotentStep("charge")
        public final String charge(String order) {
            return order;
        }
    }

    static final class FinalClass {

        @IdempotentStep("charge")
        public String charge(String order) {
            return order;
        }
    }

    static class Nameless {

        @IdempotentStep
        public String charge(String order) {
            return order;
        }
    }

    static class OfFuture {

        @IdempotentStep("charge")
        public CompletableFuture<String> charge(String order) {
            return CompletableFuture.completedFuture(order);
        }
    }

    static class OfMono {

        @IdempotentStep("charge")
        public Mono<String> charge(String order) {
            return Mono.just(order);
        }
    }

    static class OfObject {

        @IdempotentStep("charge")
        public Object charge(String order) {
            return order;
        }
    }

    static class UnknownItem {

        @IdempotentStep(name = "charge", item = "#order.id")
        public String charge(String card) {
            return card;
        }
    }

    static class UnknownFingerprint {

        @IdempotentStep(name = "charge", fingerprint = "#order.id")
        public String charge(String card) {
            return card;
        }
    }

    static class HeldInATransaction {

        @IdempotentStep(name = "charge", transactional = true, onAbandoned = OnAbandoned.HOLD)
        public String charge(String order) {
            return order;
        }
    }

    static class InANewTransaction {

        @IdempotentStep(name = "charge", transactional = true)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String charge(String order) {
            return order;
        }
    }

    static class OperationToo {

        @Idempotent("#order")
        @IdempotentStep("charge")
        public String charge(String order) {
            return order;
        }
    }

    @IdempotentStep("charge")
    @Retention(RetentionPolicy.RUNTIME)
    @interface ChargeStep {}

    @ChargeStep
    static class OfAnAnnotatedClass {

        public String charge(String order) {
            return order;
        }
    }
}
