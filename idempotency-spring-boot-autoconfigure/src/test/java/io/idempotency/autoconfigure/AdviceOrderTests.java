package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.Outcome;
import io.idempotency.interceptor.AnnotatedMethodAdvisor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The advice around a method, from outside: retries and asynchronous execution, security, idempotency, transactions. */
class AdviceOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("idempotency.store=memory", "spring.datasource.generate-unique-name=true")
            .withUserConfiguration(ShopConfiguration.class);

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

    @Test
    void eachRetryFromOutsideIsANewClaim() {
        runner.withUserConfiguration(RetryConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);
            context.getBean(Faults.class).inMethod.set(2);

            assertThat(shop.bookWithRetries("k")).isEqualTo(3);
            assertThat(shop.bookWithRetries("k")).isEqualTo(3);

            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
            assertThat(context.getBean(Ends.class).all)
                    .containsExactly(
                            "released outside a transaction",
                            "released outside a transaction",
                            "recorded outside a transaction");
        });
    }

    @Test
    void whoHasNoRightDoesNotTouchTheKeyAndGetsNoOldOutcome() {
        runner.withUserConfiguration(SecurityConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> as("clerk", () -> shop.refund("k")));
            assertThat(context.getBean(Ends.class).all).isEmpty();
            assertThat(as("admin", () -> shop.refund("k"))).isEqualTo(1);
            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> as("clerk", () -> shop.refund("k")));
        });
    }

    @Test
    void anAsynchronousMethodClaimsOnItsOwnThread() {
        runner.withUserConfiguration(AsyncConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            CompletableFuture<Integer> first = shop.bookLater("k");
            assertThat(first).isNotDone();
            context.getBean(Faults.class).over.countDown();

            assertThat(first).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(1);
            assertThat(shop.bookLater("k")).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(1);
        });
    }

    private static int rows(JdbcClient client) {
        return client.sql("SELECT count(*) FROM booking").query(Integer.class).single();
    }

    private static int as(String role, IntSupplier call) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "", role));
        try {
            return call.getAsInt();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    /** Transactions right behind idempotency: with their own order, the last, the two could change places unnoticed. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = AnnotatedMethodAdvisor.ORDER + 1)
    static class ShopConfiguration {

        @Bean
        Shop shop(JdbcClient client, Faults faults) {
            client.sql("CREATE TABLE booking (id VARCHAR(99) PRIMARY KEY)").update();
            return new Shop(client, faults);
        }

        @Bean
        Faults faults() {
            return new Faults();
        }

        @Bean
        Ends ends() {
            return new Ends();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class RetryConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class SecurityConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncConfiguration {}

    static class Shop {

        private final AtomicInteger runs = new AtomicInteger();

        private final JdbcClient client;

        private final Faults faults;

        Shop(JdbcClient client, Faults faults) {
            this.client = client;
            this.faults = faults;
        }

        @Idempotent("#id")
        @Transactional
        public int book(String id) {
            return insertAndCommit(id);
        }

        @IdempotentStep("book")
        @Transactional
        public int bookAsStep(String id) {
            return insertAndCommit(id);
        }

        private int insertAndCommit(String id) {
            insert(id);
            if (faults.atCommit.getAndDecrement() > 0) {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        throw new IllegalStateException("The commit fails");
                    }
                });
            }
            return runs.incrementAndGet();
        }

        @Retryable(maxRetries = 2, delay = 1)
        @Idempotent("#id")
        @Transactional
        public int bookWithRetries(String id) {
            insert(id);
            int run = runs.incrementAndGet();
            if (faults.inMethod.getAndDecrement() > 0) {
                throw new IllegalStateException("Not yet");
            }
            return run;
        }

        private void insert(String id) {
            client.sql("INSERT INTO booking VALUES (?)").param(id).update();
        }

        @PreAuthorize("hasAuthority('admin')")
        @Idempotent("#id")
        public int refund(String id) {
            return runs.incrementAndGet();
        }

        @Async
        @Idempotent("#id")
        public CompletableFuture<Integer> bookLater(String id) {
            try {
                assertThat(faults.over.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return CompletableFuture.completedFuture(runs.incrementAndGet());
        }
    }

    /** What is still to go wrong. */
    static class Faults {

        final AtomicInteger inMethod = new AtomicInteger();

        final AtomicInteger atCommit = new AtomicInteger();

        final CountDownLatch over = new CountDownLatch(1);
    }

    /** What became of the attempts, in order, and whether a transaction was open. */
    static class Ends implements IdempotencyListener {

        final List<String> all = new ArrayList<>();

        @Override
        public void outcomeRecorded(Claim claim, Outcome.Kind kind) {
            all.add("recorded " + where());
        }

        @Override
        public void claimReleased(Claim claim) {
            all.add("released " + where());
        }

        private static String where() {
            return TransactionSynchronizationManager.isActualTransactionActive()
                    ? "inside a transaction"
                    : "outside a transaction";
        }
    }
}
