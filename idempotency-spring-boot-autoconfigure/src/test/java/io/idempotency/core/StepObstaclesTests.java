package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StepObstaclesTests {

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(1);

    @Test
    void aStepRunsWhereNothingStandsInItsWay() {
        assertThat(new StepObstacles(store, SurroundingTransaction.NONE).find(OperationPolicy.DEFAULT))
                .isEmpty();
    }

    @Test
    void aTransactionalOperationHasNoSteps() {
        OperationPolicy transactional = OperationPolicy.DEFAULT.withTransaction(TransactionSettings.DEFAULT);

        assertThat(new StepObstacles(store, SurroundingTransaction.NONE).find(transactional))
                .hasValueSatisfying(reason -> assertThat(reason).contains("the operation is transactional"));
    }

    @Test
    void aStoreThatRecordsNoStepsIsNamed() {
        assertThat(new StepObstacles(new FaultyStore(store), SurroundingTransaction.NONE).find(OperationPolicy.DEFAULT))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains(FaultyStore.class.getName()).contains("StepStore"));
    }

    @Test
    void anOpenTransactionIsInTheWay() {
        assertThat(new StepObstacles(store, new OpenTransaction()).find(OperationPolicy.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).contains("a transaction is open"));
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
