package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentAction;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
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
import org.springframework.context.annotation.Primary;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods with {@code transactional = true} in an application: which transaction they get, and what stops its start. */
class TransactionalMethodTests {

    private final ApplicationContextRunner withoutTransactionManager = new ApplicationContextRunner()
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

    private final ApplicationContextRunner runner = withoutTransactionManager.withConfiguration(
            AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class));

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
    void withoutATransactionManagerTheStartStops() {
        withoutTransactionManager
                .withBean(Shop.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Shop.book")
                        .hasMessageContaining("There is no PlatformTransactionManager"));
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
    @EnableTransactionManagement(order = 0)
    static class OuterTransactions {}

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

    static class Unmanaged {

        @Idempotent(key = "#id", transactional = true)
        public String book(String id) {
            return "done";
        }
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
