package io.idempotency.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Claim;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.core.TransactionSettings;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.jdbc.ConnectionProbe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that books once for each key. Its rows are in a database; the records are there too, or in Redis. What it
 * executes is counted in the database, whatever becomes of the transactions.
 */
final class BookingShop implements AutoCloseable {

    private static final String NAMESPACE = "faults";

    private static final String OPERATION = "book";

    /** Executions come to points on the threads of the engine, which must not give up while they are kept there. */
    private static final Duration STORE_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofSeconds(3);

    /**
     * Where the shop keeps what.
     *
     * @param records where the store is
     * @param rows where the bookings are; the same place where operations are transactional
     */
    record Places(StoreAddress records, StoreAddress rows, boolean transactional) {

        static Places of(StoreAddress.Kind kind, boolean transactional) {
            StoreAddress records = kind.address();
            StoreAddress rows = kind == StoreAddress.Kind.REDIS ? StoreAddress.Kind.POSTGRES.address() : records;
            Places places = new Places(records, rows, transactional);
            try (HikariDataSource pool = rows.newPool()) {
                JdbcTemplate jdbc = new JdbcTemplate(pool);
                jdbc.execute("CREATE TABLE booking (name VARCHAR(100))");
                jdbc.execute("CREATE TABLE execution (name VARCHAR(100))");
            }
            return places;
        }

        /** Returns the same places behind a proxy. */
        Places through(TcpProxy proxy) {
            return new Places(records.through(proxy), rows.through(proxy), transactional);
        }
    }

    private final Places places;

    private final Consumer<Point> observer;

    private final HikariDataSource pool;

    private final HikariDataSource counting;

    private final TransactionTemplate transactions;

    private final OpenStore store;

    private final IdempotencyTemplate engine;

    private final List<String> events = new CopyOnWriteArrayList<>();

    BookingShop(Places places, Consumer<Point> observer) {
        this.places = places;
        this.observer = observer;
        this.pool = places.rows.newPool();
        this.counting = places.rows.newPool();
        DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
        this.transactions = new TransactionTemplate(manager);
        this.store = places.transactional
                ? places.records.openOver(pool, STORE_TIMEOUT)
                : places.records.open(STORE_TIMEOUT);
        this.engine = new IdempotencyTemplate(
                ObservedStore.of(store.store(), observer),
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings(NAMESPACE, STORE_TIMEOUT, 64),
                OperationPolicy.DEFAULT,
                new SpringSurroundingTransaction(new ConnectionProbe()),
                new SpringWorkTransactions(new DefaultListableBeanFactory(), () -> manager, new ConnectionProbe()),
                List.of(new Events()));
    }

    /**
     * Books, or replays.
     *
     * @param maxWait how long to wait for another execution
     */
    IdempotentResult<String> book(String key, Duration maxWait) {
        return engine.operation(OPERATION)
                .key(key)
                .policy(standard -> policy(standard).withMaxWait(maxWait))
                .execute(String.class, () -> places.transactional ? work(key) : workInItsOwnTransaction(key));
    }

    private OperationPolicy policy(OperationPolicy standard) {
        OperationPolicy policy = standard.withLease(LEASE);
        return places.transactional ? policy.withTransaction(TransactionSettings.DEFAULT) : policy;
    }

    private String workInItsOwnTransaction(String key) {
        String booked = transactions.execute(status -> work(key));
        observer.accept(Point.AFTER_COMMIT);
        noteLostLease();
        return booked;
    }

    private String work(String key) {
        new JdbcTemplate(counting).update("INSERT INTO execution VALUES (?)", key);
        new JdbcTemplate(pool).update("INSERT INTO booking VALUES (?)", key);
        observer.accept(Point.BEFORE_COMMIT);
        noteLostLease();
        return "booked by process " + ProcessHandle.current().pid();
    }

    private void noteLostLease() {
        if (IdempotencyContext.current().orElseThrow().isLeaseLost()) {
            events.add("work sees loss");
        }
    }

    static Identity identity(String key) {
        return Identity.of(NAMESPACE, OPERATION, null, key);
    }

    int executions(String key) {
        return count("execution", key);
    }

    int bookings(String key) {
        return count("booking", key);
    }

    private int count(String table, String key) {
        Integer rows = new JdbcTemplate(counting)
                .queryForObject("SELECT count(*) FROM " + table + " WHERE name = ?", Integer.class, key);
        return rows == null ? 0 : rows;
    }

    /** Returns the names of what the engine told. */
    List<String> events() {
        return List.copyOf(events);
    }

    @Override
    public void close() {
        engine.close();
        store.close();
        pool.close();
        counting.close();
    }

    private final class Events implements IdempotencyListener {

        @Override
        public void outcomeRecorded(Claim claim, Outcome.Kind kind) {
            events.add("recorded");
            if (places.transactional) {
                observer.accept(Point.AFTER_RECORDING);
            }
        }

        @Override
        public void leaseLost(Claim claim) {
            events.add("lost");
        }
    }
}
