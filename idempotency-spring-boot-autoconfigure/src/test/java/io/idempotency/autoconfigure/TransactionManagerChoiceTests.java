package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;

/** Which of the transaction managers of an application methods with {@code transactional = true} get. */
class TransactionManagerChoiceTests extends WithTransactionalMethods {

    @Test
    void withoutATransactionManagerTheStartStops() {
        withoutTransactionManager
                .withBean(Shop.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Shop.book")
                        .hasMessageContaining("There is no PlatformTransactionManager"));
    }

    @Test
    void ofSeveralTransactionManagersNoneIsMeant() {
        withoutTransactionManager
                .withUserConfiguration(TwoManagers.class)
                .withBean(Shop.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Shop.book")
                        .hasMessageContaining("@IdempotencyTransactionManager"));
    }

    @Test
    void ofSeveralTransactionManagersTheMarkedOneIsMeant() {
        withoutTransactionManager
                .withUserConfiguration(MarkedManager.class)
                .withBean(Unmanaged.class)
                .run(context ->
                        assertThat(context.getBean(Unmanaged.class).book("k")).isEqualTo("done"));
    }

    @Test
    void aNameInTransactionalGoesBeforeAll() {
        withoutTransactionManager
                .withUserConfiguration(MarkedManager.class)
                .withBean(OfOtherManager.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfOtherManager.book")
                        .hasMessageContaining("does not manage the DataSource"));
    }

    @Test
    void aQualifierOfTheClassNamesTheTransactionManager() {
        withoutTransactionManager
                .withUserConfiguration(MarkedManager.class)
                .withBean(WithOtherManager.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("WithOtherManager.book")
                        .hasMessageContaining("does not manage the DataSource"));
    }

    @Test
    void aQualifierOfTheClassThatIsNoTransactionManagerMeansSomethingElse() {
        withoutTransactionManager
                .withUserConfiguration(MarkedManager.class)
                .withBean(Fast.class)
                .run(context ->
                        assertThat(context.getBean(Fast.class).book("k")).isEqualTo("done"));
    }

    @Test
    void aTransactionManagerMayBeNamedByTheQualifierOfItsOwnClass() {
        withoutTransactionManager
                .withUserConfiguration(MarkedManager.class)
                .withBean(OrdersManager.class)
                .withBean(OfOrdersManager.class)
                .run(context -> assertThat(
                                context.getBean(OfOrdersManager.class).book("k"))
                        .isEqualTo("done"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        DataSourceTransactionManager one(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        DataSourceTransactionManager two(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedManager {

        @Bean
        @IdempotencyTransactionManager
        DataSourceTransactionManager ofTheStore(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        @Primary
        DataSourceTransactionManager other() {
            return new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));
        }
    }

    static class Unmanaged {

        @Idempotent(key = "#id", transactional = true)
        public String book(String id) {
            return "done";
        }
    }

    static class OfOtherManager {

        @Idempotent(key = "#id", transactional = true)
        @Transactional("other")
        public String book(String id) {
            return "done";
        }
    }

    @Qualifier("other")
    static class WithOtherManager {

        @Idempotent(key = "#id", transactional = true)
        @Transactional
        public String book(String id) {
            return "done";
        }
    }

    @Qualifier("fast")
    static class Fast {

        @Idempotent(key = "#id", transactional = true)
        @Transactional
        public String book(String id) {
            return "done";
        }
    }

    @Qualifier("orders")
    @SuppressWarnings("serial") // nobody serialises it
    static class OrdersManager extends DataSourceTransactionManager {

        OrdersManager(DataSource dataSource) {
            super(dataSource);
        }
    }

    static class OfOrdersManager {

        @Idempotent(key = "#id", transactional = true)
        @Transactional("orders")
        public String book(String id) {
            return "done";
        }
    }
}
