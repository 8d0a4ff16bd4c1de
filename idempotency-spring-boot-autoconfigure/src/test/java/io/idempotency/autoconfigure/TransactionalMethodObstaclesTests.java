package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What keeps a method from being transactional is found at the start, which it stops. */
class TransactionalMethodObstaclesTests extends WithTransactionalMethods {

    @ParameterizedTest
    @MethodSource
    void aMethodThatCannotBeTransactionalStopsTheStart(Class<?> type, String remedy) {
        runner.withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(type.getName() + ".book(")
                        .hasMessageContaining(remedy));
    }

    static Stream<Arguments> aMethodThatCannotBeTransactionalStopsTheStart() {
        return Stream.of(
                Arguments.of(InANewTransaction.class, "REQUIRED"),
                Arguments.of(OutsideOfTransactions.class, "REQUIRED"),
                Arguments.of(OfFuture.class, "let it return the value"),
                Arguments.of(OfAnyEntity.class, "cannot be replayed"),
                Arguments.of(OfUnknownManager.class, "correct the name in @Transactional"));
    }

    @Test
    void aStoreThatIsNotInADatabaseStopsTheStart() {
        runner.withBean(Shop.class)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Shop.book")
                        .hasMessageContaining("idempotency.store=jdbc"));
    }

    @Test
    void aDialectThatCannotLockStopsTheStart() {
        runner.withBean(Shop.class)
                .withPropertyValues("idempotency.jdbc.platform=generic")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Shop.book")
                        .hasMessageContaining("'generic'")
                        .hasMessageContaining("locks a record"));
    }

    static class InANewTransaction {

        @Idempotent(key = "#id", transactional = true)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String book(String id) {
            return "done";
        }
    }

    static class OutsideOfTransactions {

        @Idempotent(key = "#id", transactional = true)
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public String book(String id) {
            return "done";
        }
    }

    static class OfFuture {

        @Idempotent(key = "#id", transactional = true)
        public CompletableFuture<String> book(String id) {
            return CompletableFuture.completedFuture("done");
        }
    }

    static class OfAnyEntity {

        @Idempotent(key = "#id", transactional = true)
        public ResponseEntity<?> book(String id) {
            return ResponseEntity.ok().build();
        }
    }

    static class OfUnknownManager {

        @Idempotent(key = "#id", transactional = true)
        @Transactional("unknown")
        public String book(String id) {
            return "done";
        }
    }
}
