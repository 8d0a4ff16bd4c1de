package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.Outcome;
import io.idempotency.interceptor.AnnotatedMethodAdvisor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A shop around whose methods there is advice of several kinds, and what became of their attempts. */
abstract class WithAdvice {

    final ApplicationContextRunner runner = new ApplicationContextRunner()
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

    static int rows(JdbcClient client) {
        return client.sql("SELECT count(*) FROM booking").query(Integer.class).single();
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
