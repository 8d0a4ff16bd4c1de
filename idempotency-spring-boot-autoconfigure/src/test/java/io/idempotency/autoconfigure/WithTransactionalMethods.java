package io.idempotency.autoconfigure;

import io.idempotency.annotation.Idempotent;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
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
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Applications with a database, in which methods with {@code transactional = true} may work. */
abstract class WithTransactionalMethods {

    final ApplicationContextRunner withoutTransactionManager = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class,
                    JdbcIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true", "timeout=40");

    final ApplicationContextRunner runner = withoutTransactionManager.withConfiguration(
            AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class));

    @Configuration
    @EnableTransactionManagement
    static class RecordingManager {

        final List<TransactionDefinition> begun = new CopyOnWriteArrayList<>();

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            Consumer<TransactionDefinition> beginning = begun::add;
            return new DataSourceTransactionManager(dataSource) {

                private static final long serialVersionUID = 1L;

                @Override
                protected void doBegin(Object transaction, TransactionDefinition definition) {
                    beginning.accept(definition);
                    super.doBegin(transaction, definition);
                }
            };
        }
    }

    static class Shop {

        private final AtomicInteger runs = new AtomicInteger();

        private final JdbcClient client;

        Shop(JdbcClient client) {
            this.client = client;
            client.sql("CREATE TABLE booking (run INTEGER)").update();
        }

        @Idempotent(key = "#id", operation = "io.idempotency.Shop.book", transactional = true)
        @Transactional
        public String book(String id) {
            return "run " + insert();
        }

        @Idempotent(key = "#id", operation = "io.idempotency.Shop.book", transactional = true)
        @Transactional(noRollbackFor = IOException.class)
        public String fail(String id) throws IOException {
            throw new IOException("declined " + insert());
        }

        @Idempotent(key = "#id", transactional = true)
        public boolean isInTransaction(String id) {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        int insert() {
            int run = runs.incrementAndGet();
            client.sql("INSERT INTO booking VALUES (?)").param(run).update();
            return run;
        }

        int rows() {
            return client.sql("SELECT count(*) FROM booking")
                    .query(Integer.class)
                    .single();
        }
    }
}
