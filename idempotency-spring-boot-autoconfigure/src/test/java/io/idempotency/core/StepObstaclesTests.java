package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StepObstaclesTests {

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(1);

    private final OperationPolicy transactional = OperationPolicy.DEFAULT.withTransaction(TransactionSettings.DEFAULT);

    @Test
    void aStepRunsWhereNothingStandsInItsWay() {
        assertThat(obstacles(store, SurroundingTransaction.NONE).find(OperationPolicy.DEFAULT, false))
                .isEmpty();
    }

    @Test
    void aTransactionalOperationHasTransactionalStepsOnly() {
        assertThat(obstacles(store, SurroundingTransaction.NONE).find(transactional, false))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("the operation is transactional")
                        .contains("make it a transactional step"));
    }

    @Test
    void aStoreThatRecordsNoStepsIsNamed() {
        StepObstacles obstacles = obstacles(new FaultyStore(store), SurroundingTransaction.NONE);

        for (Optional<String> found : List.of(
                obstacles.find(OperationPolicy.DEFAULT, false),
                obstacles.findTransactional(OperationPolicy.DEFAULT, Optional.empty(), TransactionSettings.DEFAULT))) {
            assertThat(found)
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .contains(FaultyStore.class.getName())
                            .contains("StepStore"));
        }
    }

    @Test
    void anOpenTransactionIsInTheWay() {
        assertThat(obstacles(store, new OpenTransaction()).find(OperationPolicy.DEFAULT, false))
                .hasValueSatisfying(reason -> assertThat(reason).contains("a transaction is open"));
    }

    @Test
    void aStoreThatTakesPartInNoTransactionHasNoTransactionalSteps() {
        assertThat(obstacles(store, SurroundingTransaction.NONE)
                        .findTransactional(OperationPolicy.DEFAULT, Optional.empty(), TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("idempotency.store=jdbc"));
    }

    @Test
    void aTransactionalStepRunsWhereNothingIsOpenOrTheRecordIsLocked() {
        IdempotencyStore joining = joiningStore();

        assertThat(obstacles(joining, SurroundingTransaction.NONE)
                        .findTransactional(OperationPolicy.DEFAULT, Optional.empty(), TransactionSettings.DEFAULT))
                .isEmpty();
        assertThat(obstacles(joining, new OpenTransaction())
                        .findTransactional(transactional, Optional.of(locked(true)), TransactionSettings.DEFAULT))
                .isEmpty();
    }

    @Test
    void aTransactionThatDoesNotLockTheRecordIsInTheWayOfATransactionalStep() {
        IdempotencyStore joining = joiningStore();

        assertThat(obstacles(joining, new OpenTransaction())
                        .findTransactional(OperationPolicy.DEFAULT, Optional.empty(), TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("open already"));
        assertThat(obstacles(joining, SurroundingTransaction.NONE)
                        .findTransactional(transactional, Optional.empty(), TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("another thread"));
        assertThat(obstacles(joining, SurroundingTransaction.NONE)
                        .findTransactional(transactional, Optional.of(locked(false)), TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("suspended"));
    }

    @Test
    void aStepThatIsRecordedByItselfCannotRunWhileItsThreadKeepsTheRecordLocked() {
        for (SurroundingTransaction surrounding : List.of(SurroundingTransaction.NONE, new OpenTransaction())) {
            assertThat(obstacles(store, surrounding).find(OperationPolicy.DEFAULT, true))
                    .hasValueSatisfying(reason -> assertThat(reason).contains("keeps the record locked"));
        }
    }

    private static LockedTransaction locked(boolean current) {
        return new LockedTransaction(
                current ? new PlannedWorkTransaction() : new PlannedWorkTransaction("it is suspended"),
                "Operation order");
    }

    private static StepObstacles obstacles(IdempotencyStore store, SurroundingTransaction surrounding) {
        LeaseRenewer renewer = new LeaseRenewer(
                store, new Listeners(List.of()), Executors.newSingleThreadScheduledExecutor(), System::nanoTime);
        return new StepObstacles(store, surrounding, new LockedTransactions(store, WorkTransactions.NONE, renewer));
    }

    /** Can do everything, as far as its types say. */
    private static IdempotencyStore joiningStore() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                StepObstaclesTests.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class, StepStore.class, TransactionalStore.class},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private static final class OpenTransaction implements SurroundingTransaction {

        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public void afterCompletion(Consumer<End> callback) {
            throw new UnsupportedOperationException();
        }
    }
}
