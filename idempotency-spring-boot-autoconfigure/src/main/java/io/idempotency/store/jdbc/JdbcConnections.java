package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.util.ClassUtils;

/**
 * The connections of a store: of a pool of its own where there can be one, else of the application's. A verb gets them in
 * autocommit, and leaves it only while {@link StepStatements} keeps a record locked that it has written. They are never the
 * connection that a transaction of the calling thread has.
 */
final class JdbcConnections implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(JdbcConnections.class);

    private static final boolean HIKARI_PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", JdbcConnections.class.getClassLoader());

    /** How often a verb is tried that the database gives up in favour of another transaction. */
    private static final int MAX_TRIES = 6;

    private static final SQLExceptionTranslator translator = new SQLStateSQLExceptionTranslator();

    private final DataSource dataSource;

    private final boolean own;

    private final JdbcDialect dialect;

    private final SilenceLimit silenceLimit;

    private final RenewalReserve reserve;

    private final Runnable end;

    private JdbcConnections(
            DataSource dataSource,
            boolean own,
            JdbcDialect dialect,
            SilenceLimit silenceLimit,
            RenewalReserve reserve,
            Runnable end) {
        this.dataSource = dataSource;
        this.own = own;
        this.dialect = dialect;
        this.silenceLimit = silenceLimit;
        this.reserve = reserve;
        this.end = end;
    }

    static JdbcConnections of(DataSource application, JdbcDialect dialect, JdbcStoreSettings settings) {
        SilenceLimit silenceLimit = SilenceLimit.of(settings.timeout());
        if (settings.poolSize() == 0) {
            return sharing(application, dialect, silenceLimit);
        }
        if (!HIKARI_PRESENT) {
            return sharingAgainstIntent(application, dialect, silenceLimit);
        }
        try {
            return StorePool.beside(application, settings)
                    .map(pool -> new JdbcConnections(
                            pool, true, dialect, silenceLimit, RenewalReserve.in(settings), pool::close))
                    .orElseGet(() -> sharingAgainstIntent(application, dialect, silenceLimit));
        } catch (RuntimeException failure) {
            throw new JdbcStoreSetupException(
                    "The idempotency store cannot have a pool of its own beside the application's",
                    "Check that the database accepts more connections, or set idempotency.jdbc.pool-size=0 to share the "
                            + "application's pool.",
                    failure);
        }
    }

    private static JdbcConnections sharingAgainstIntent(
            DataSource application, JdbcDialect dialect, SilenceLimit silenceLimit) {
        logger.warn(
                "The idempotency store shares the application's pool, since that is none of HikariCP's: claims, renewals"
                        + " and outcomes wait for its connections. Set idempotency.jdbc.pool-size=0 to agree to this");
        return sharing(application, dialect, silenceLimit);
    }

    private static JdbcConnections sharing(DataSource application, JdbcDialect dialect, SilenceLimit silenceLimit) {
        return new JdbcConnections(
                withoutTransactions(application), false, dialect, silenceLimit, RenewalReserve.none(), () -> {});
    }

    /** Returns the data source behind one whose connections take part in transactions by themselves. */
    static DataSource withoutTransactions(DataSource application) {
        DataSource target = application;
        while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }

    /** Says whether nobody but the store uses these connections. */
    boolean areOwn() {
        return own;
    }

    /** What a verb does with its connection. */
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /**
     * Runs a verb on a connection.
     *
     * @param verb for messages
     * @throws IdempotencyStoreException if there is no connection, or the work fails
     */
    <T> T call(String verb, Work<T> work) {
        return reserve.leaving(verb, () -> callFirst(verb, work));
    }

    /** Runs a verb on a connection before all those that wait for one in {@link #call}. */
    <T> T callFirst(String verb, Work<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return with(dataSource.getConnection(), work);
            } catch (SQLException failure) {
                if (tries == MAX_TRIES || !dialect.isConcurrencyFailure(failure)) {
                    throw failed(verb, failure);
                }
                RacePause.pause();
            }
        }
    }

    /** Without the message of the database: it may show values of the row. */
    static IdempotencyStoreException failed(String verb, SQLException failure) {
        return new IdempotencyStoreException(
                "The database failed to %s (SQL state %s)".formatted(verb, failure.getSQLState()), failure);
    }

    static @Nullable DataAccessException translated(SQLException failure) {
        return translator.translate("idempotency store", null, failure);
    }

    private <T> T with(Connection connection, Work<T> work) throws SQLException {
        try {
            return silenceLimit.during(connection, limited -> inAutoCommit(limited, work));
        } finally {
            // Quietly: what the work wrote is written, whatever becomes of the connection.
            JdbcUtils.closeConnection(connection);
        }
    }

    private static <T> T inAutoCommit(Connection connection, Work<T> work) throws SQLException {
        if (connection.getAutoCommit()) {
            return work.with(connection);
        }
        connection.setAutoCommit(true);
        try {
            return work.with(connection);
        } finally {
            leaveAutoCommit(connection);
        }
    }

    /** Gives a shared connection back as it came; one that cannot be put right is not given to anybody again. */
    private static void leaveAutoCommit(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException broken) {
            discard(connection);
        }
    }

    /** Ends a connection whose autocommit is not what it should be. */
    static void discard(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException failure) {
            logger.warn(
                    "A connection keeps the wrong autocommit because it can neither be put right nor ended", failure);
        }
    }

    /** Ends the pool, if it is the store's own. */
    @Override
    public void close() {
        end.run();
    }
}
