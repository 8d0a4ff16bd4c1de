package io.idempotency.store.jdbc;

import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.TransactionSettings;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that books in its database, by transactional operations. */
final class TransactionalShop implements AutoCloseable {

    static final String NAMESPACE = "shop";

    static final String OPERATION = "book";

    static final int MAX_OUTCOME_SIZE = 10_000;

    /** Where and how the shop works. */
    record Setting(TestDatabase.Product product, Manager manager, int isolation) {

        /** Every database with every transaction manager, at the isolation levels that are supported. */
        static Stream<Setting> all() {
            return TestDatabase.productsThatSkipLockedRecords()
                    .flatMap(product -> Stream.of(Manager.JDBC, Manager.JPA)
                            .flatMap(manager -> Stream.of(
                                            TransactionDefinition.ISOLATION_READ_COMMITTED,
                                            TransactionDefinition.ISOLATION_REPEATABLE_READ)
                                    .map(isolation -> new Setting(product, manager, isolation))));
        }

        /** One database, which can check constraints late, with every transaction manager. */
        static Stream<Setting> withEveryManager() {
            return Stream.of(Manager.values())
                    .map(manager -> new Setting(
                            TestDatabase.Product.POSTGRES, manager, TransactionDefinition.ISOLATION_READ_COMMITTED));
        }

        boolean isRepeatableRead() {
            return isolation == TransactionDefinition.ISOLATION_REPEATABLE_READ;
        }
    }

    /** What the transactions of the application are made by. */
    enum Manager {

        /** Tells by exceptions of SQL what has failed, as Spring Boot sets it up. */
        JDBC,

        /** Calls whatever fails a failure of the transaction. */
        PLAIN_JDBC,

        JPA
    }

    private final TestDatabase database;

    private final PlannedTransactionManager transactionManager;

    private final JdbcIdempotencyStore store;

    private final IdempotencyTemplate idempotency;

    private final ShopEvents events = new ShopEvents();

    private final Bookings bookings;

    private final OperationPolicy policy;

    private TransactionalShop(
            Setting setting,
            TestDatabase database,
            DataSource application,
            JdbcStoreSettings settings,
            Function<JdbcIdempotencyStore, ? extends IdempotencyStore> decoration) {
        this.database = database;
        database.jdbc().execute("CREATE TABLE booking (number INTEGER PRIMARY KEY, version INTEGER)");
        this.bookings = Bookings.by(setting.manager(), application);
        this.transactionManager = new PlannedTransactionManager(bookings.transactionManager());
        this.store = database.openStore(application, settings);
        this.idempotency = new IdempotencyTemplate(
                decoration.apply(store),
                new JsonOutcomeCodecFactory(MAX_OUTCOME_SIZE),
                new EngineSettings(NAMESPACE, settings.timeout(), 64),
                OperationPolicy.DEFAULT,
                new SpringSurroundingTransaction(new ConnectionProbe()),
                new SpringWorkTransactions(beans(), () -> transactionManager, new ConnectionProbe()),
                List.of(events));
        this.policy = OperationPolicy.DEFAULT.withTransaction(
                new TransactionSettings(Optional.empty(), setting.isolation(), Optional.empty()));
    }

    static TransactionalShop open(Setting setting) {
        return open(setting, store -> store);
    }

    /** Opens a shop whose engine has a store of the test's own around the real one. */
    static TransactionalShop open(
            Setting setting, Function<JdbcIdempotencyStore, ? extends IdempotencyStore> decoration) {
        TestDatabase database = setting.product().open();
        return new TransactionalShop(setting, database, database.application(), TestDatabase.SETTINGS, decoration);
    }

    /** Opens a shop that has a pool of its own on a database. */
    static TransactionalShop open(
            Setting setting, TestDatabase database, DataSource application, JdbcStoreSettings settings) {
        return new TransactionalShop(setting, database, application, settings, store -> store);
    }

    /** Has the manager that is meant where none is named, and one that nothing is to be done by. */
    private DefaultListableBeanFactory beans() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("shop", transactionManager);
        beans.registerSingleton("archive", new JdbcTransactionManager(database.application()));
        return beans;
    }

    TestDatabase database() {
        return database;
    }

    PlannedTransactionManager transactionManager() {
        return transactionManager;
    }

    /** Returns what goes around other work of the application, in transactions that nothing is planted in. */
    TransactionTemplate transactions() {
        return new TransactionTemplate(transactionManager);
    }

    JdbcIdempotencyStore store() {
        return store;
    }

    IdempotencyTemplate idempotency() {
        return idempotency;
    }

    /** Returns what runs the steps of operations. */
    IdempotentSteps steps() {
        return JournaledSteps.recorded(new JsonOutcomeCodecFactory(MAX_OUTCOME_SIZE), () -> idempotency);
    }

    OperationPolicy policy() {
        return policy;
    }

    /** Returns the names of what happened, in order. */
    List<String> events() {
        return events.told();
    }

    /** Begins a transactional call. */
    IdempotencyOperations.CallSpec call(String key) {
        return call(key, policy);
    }

    IdempotencyOperations.CallSpec call(String key, OperationPolicy policy) {
        return idempotency.operation(OPERATION).key(key).policy(configured -> policy);
    }

    OperationPolicy withLease(Duration lease) {
        return policy.withLease(lease);
    }

    /** Returns what records texts. */
    static OutcomeCodec<Object> codec() {
        return new JsonOutcomeCodecFactory(MAX_OUTCOME_SIZE).codecFor(String.class);
    }

    static Identity identity(String key) {
        return Identity.of(NAMESPACE, OPERATION, null, key);
    }

    void insert(int number) {
        bookings.insert(number);
    }

    /** Lets the database find out by the commit, and no earlier, that there would be more than one row. */
    void refuseCommitsWithSeveralRows() {
        database.jdbc().execute("ALTER TABLE booking ADD UNIQUE (version) DEFERRABLE INITIALLY DEFERRED");
    }

    /** Returns the rows that are committed. */
    List<Integer> rows() {
        return database.jdbc().queryForList("SELECT number FROM booking ORDER BY number", Integer.class);
    }

    @Override
    public void close() {
        idempotency.close();
        store.close();
        bookings.close();
        database.close();
    }
}
