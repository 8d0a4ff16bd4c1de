package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyOperations;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods with {@code transactional = true} in an application, and the transactions that they get. */
class TransactionalMethodTests extends WithTransactionalMethods {

    @Test
    void recordAndRowsAreCommittedTogether() {
        runner.withBean(Shop.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            assertThat(shop.book("k")).isEqualTo("run 1");
            assertThat(shop.book("k")).isEqualTo("run 1");

            assertThat(shop.rows()).isEqualTo(1);
        });
    }

    @Test
    void aCheckedExceptionRollsBackWhateverTheMethodsOwnTransactionSays() {
        runner.withBean(Shop.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            assertThatExceptionOfType(IOException.class).isThrownBy(() -> shop.fail("k"));

            assertThat(shop.rows()).isZero();
            assertThat(shop.book("k")).isEqualTo("run 2");
        });
    }

    @Test
    void theProgrammaticDoorIsTransactionalToo() {
        runner.withBean(Shop.class).run(context -> {
            Shop shop = context.getBean(Shop.class);
            IdempotencyOperations idempotency = context.getBean(IdempotencyOperations.class);

            assertThatIllegalStateException()
                    .isThrownBy(() -> idempotency
                            .operation("book")
                            .key("k")
                            .transactional()
                            .execute(String.class, () -> {
                                shop.insert();
                                throw new IllegalStateException("declined");
                            }));

            assertThat(shop.rows()).isZero();
        });
    }

    @Test
    void insideAnotherTransactionACallIsRefused() {
        runner.withBean(Shop.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> assertThatIllegalStateException()
                            .isThrownBy(() -> shop.book("k"))
                            .withMessageContaining("Shop.book")
                            .withMessageContaining("outside of transactions"));

            assertThat(shop.rows()).isZero();
        });
    }

    @Test
    void transactionsThatAreOutsideOfIdempotencyAreOtherTransactions() {
        runner.withUserConfiguration(OuterTransactions.class)
                .withBean(Shop.class)
                .run(context -> assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(Shop.class).book("k"))
                        .withMessageContaining("outside of transactions"));
    }

    @Test
    void switchedOffTheMethodHasItsOwnTransactionOnly() {
        runner.withBean(Shop.class)
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);

                    assertThat(shop.book("k")).isEqualTo("run 1");
                    assertThat(shop.book("k")).isEqualTo("run 2");
                    assertThat(shop.isInTransaction("k")).isFalse();
                });
    }

    @Test
    void isolationAndTimeoutAreThoseOfTheMethodOrItsClass() {
        withoutTransactionManager
                .withUserConfiguration(RecordingManager.class)
                .withBean(Strict.class)
                .run(context -> {
                    List<TransactionDefinition> begun = context.getBean(RecordingManager.class).begun;
                    begun.clear();
                    Strict strict = context.getBean(Strict.class);

                    assertThat(strict.ofTheClass("k")).isEqualTo(TransactionDefinition.ISOLATION_SERIALIZABLE);
                    assertThat(strict.ofTheMethod("k")).isEqualTo(TransactionDefinition.ISOLATION_READ_COMMITTED);
                    strict.forLong("k");

                    assertThat(begun)
                            .extracting(TransactionDefinition::getTimeout)
                            .satisfiesExactly(
                                    timeout -> assertThat(timeout).isEqualTo(40),
                                    timeout -> assertThat(timeout).isEqualTo(7),
                                    // Not longer than max-duration, of which a moment has passed.
                                    timeout -> assertThat(timeout).isBetween(800, 900));
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class OuterTransactions {}

    @Transactional(isolation = Isolation.SERIALIZABLE, timeoutString = "${timeout}")
    static class Strict {

        @Idempotent(key = "#id", transactional = true)
        public int ofTheClass(String id) {
            return isolation();
        }

        @Idempotent(key = "#id", transactional = true)
        @Transactional(isolation = Isolation.READ_COMMITTED, timeout = 7)
        public int ofTheMethod(String id) {
            return isolation();
        }

        @Idempotent(key = "#id", transactional = true)
        @Transactional(timeout = 100_000)
        public String forLong(String id) {
            return "done";
        }

        private static int isolation() {
            return TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        }
    }
}
