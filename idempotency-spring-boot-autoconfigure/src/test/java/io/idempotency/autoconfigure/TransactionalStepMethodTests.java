package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentAction;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Steps with {@code transactional = true} in an application. */
class TransactionalStepMethodTests extends WithTransactionalMethods {

    @Test
    void theRecordOfAStepAndItsRowsAreCommittedTogether() {
        runner.withBean(Shop.class).withBean(BookingSteps.class).run(context -> {
            Shop shop = context.getBean(Shop.class);
            BookingSteps steps = context.getBean(BookingSteps.class);
            IdempotencyOperations idempotency = context.getBean(IdempotencyOperations.class);
            IdempotentAction<IOException> twoSteps = () -> {
                steps.book();
                steps.fail();
            };

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(
                                () -> idempotency.operation("order").key("k").execute(twoSteps));
                assertThat(shop.rows()).isEqualTo(1);
            }
        });
    }

    @Test
    void theIsolationOfAStepIsThatOfItsMethod() {
        withoutTransactionManager
                .withUserConfiguration(RecordingManager.class)
                .withBean(Shop.class)
                .withBean(BookingSteps.class)
                .run(context -> {
                    List<TransactionDefinition> begun = context.getBean(RecordingManager.class).begun;
                    begun.clear();
                    BookingSteps steps = context.getBean(BookingSteps.class);

                    context.getBean(IdempotencyOperations.class)
                            .operation("order")
                            .key("k")
                            .execute(steps::book);

                    assertThat(begun)
                            .extracting(TransactionDefinition::getIsolationLevel)
                            .containsExactly(TransactionDefinition.ISOLATION_SERIALIZABLE);
                });
    }

    @Test
    void aStepThatCannotBeTransactionalStopsTheStart() {
        runner.withBean(JdbcSteps.class)
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("JdbcSteps.book")
                        .hasMessageContaining("idempotency.store=jdbc"));
    }

    static class BookingSteps {

        private final Shop shop;

        BookingSteps(Shop shop) {
            this.shop = shop;
        }

        @IdempotentStep(name = "book", transactional = true)
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void book() {
            shop.insert();
        }

        @IdempotentStep(name = "fail", transactional = true)
        public void fail() throws IOException {
            throw new IOException("declined " + shop.insert());
        }
    }

    static class JdbcSteps {

        @IdempotentStep(name = "book", transactional = true)
        public void book() {}
    }
}
