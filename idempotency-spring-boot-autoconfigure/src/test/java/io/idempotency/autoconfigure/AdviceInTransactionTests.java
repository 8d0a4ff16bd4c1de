package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OperationInProgressException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** What is recorded and released of methods that run in a transaction, or around one. */
class AdviceInTransactionTests extends WithAdvice {

    @Test
    void anOutcomeIsRecordedAfterTheCommit() {
        runner.run(context -> {
            assertThat(context.getBean(Shop.class).book("k")).isEqualTo(1);
            assertThat(context.getBean(Shop.class).book("k")).isEqualTo(1);

            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
            assertThat(context.getBean(Ends.class).all).containsExactly("recorded outside a transaction");
        });
    }

    @Test
    void aCommitThatFailsRecordsNoSuccess() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);
            context.getBean(Faults.class).atCommit.set(1);

            assertThatIllegalStateException().isThrownBy(() -> shop.book("k")).withMessage("The commit fails");
            assertThat(rows(context.getBean(JdbcClient.class))).isZero();
            assertThat(shop.book("k")).isEqualTo(2);
            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
            assertThat(context.getBean(Ends.class).all)
                    .containsExactly("released outside a transaction", "recorded outside a transaction");
        });
    }

    @Test
    void aStepIsRecordedAfterTheCommitOfItsMethod() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);
            IdempotencyOperations idempotency = context.getBean(IdempotencyOperations.class);
            IdempotentWork<Integer, RuntimeException> work = () -> shop.bookAsStep("k");
            context.getBean(Faults.class).atCommit.set(1);

            assertThatIllegalStateException()
                    .isThrownBy(() -> idempotency.operation("book").key("k").execute(Integer.class, work))
                    .withMessage("The commit fails");
            assertThat(rows(context.getBean(JdbcClient.class))).isZero();
            assertThat(idempotency
                            .operation("book")
                            .key("k")
                            .execute(Integer.class, work)
                            .value())
                    .isEqualTo(2);
            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
        });
    }

    @Test
    void insideAnOpenTransactionTheOutcomeWaitsForItsCommit() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);
            Ends ends = context.getBean(Ends.class);

            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                assertThat(shop.book("k")).isEqualTo(1);
                assertThat(ends.all).isEmpty();
                CompletableFuture<Integer> duplicate = CompletableFuture.supplyAsync(() -> shop.book("k"));
                assertThat(duplicate)
                        .failsWithin(10, TimeUnit.SECONDS)
                        .withThrowableOfType(ExecutionException.class)
                        .havingCause()
                        .isInstanceOf(OperationInProgressException.class);
            });

            assertThat(ends.all).hasSize(1).first().asString().startsWith("recorded");
            assertThat(shop.book("k")).isEqualTo(1);
        });
    }

    @Test
    void theRollbackOfAnOpenTransactionReleasesTheKey() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);

            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                shop.book("k");
                status.setRollbackOnly();
            });

            assertThat(context.getBean(Ends.class).all)
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("released");
            assertThat(shop.book("k")).isEqualTo(2);
            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
        });
    }
}
