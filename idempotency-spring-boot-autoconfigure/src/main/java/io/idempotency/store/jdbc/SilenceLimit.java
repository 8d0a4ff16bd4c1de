package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a connection may be silent before it is given up. The limit of a statement is kept by asking the server to end
 * it; a server that is gone without a word, as after some failovers, cannot be asked, and its connections would be waited
 * for until the operating system gives up, a quarter of an hour or so.
 *
 * @param milliseconds longer than the limit of a statement, so that a server which is merely slow keeps its connection
 */
record SilenceLimit(int milliseconds) {

    private static final Logger logger = LoggerFactory.getLogger(SilenceLimit.class);

    private static final long MARGIN_MILLIS = 2_000;

    static SilenceLimit of(Duration timeout) {
        return new SilenceLimit((int) Math.min(timeout.toMillis() + MARGIN_MILLIS, Integer.MAX_VALUE));
    }

    <T> T during(Connection connection, JdbcConnections.Work<T> work) throws SQLException {
        Runnable end = begin(connection);
        try {
            return work.with(connection);
        } finally {
            end.run();
        }
    }

    /**
     * Limits a connection, if its driver can, until what is returned is run, which puts the former limit back. The connection
     * of a pool is not asked itself: HikariCP ends one whose driver says that it cannot.
     */
    Runnable begin(Connection connection) {
        Connection ofDriver;
        int before;
        try {
            ofDriver = connection.unwrap(Connection.class);
            before = ofDriver.getNetworkTimeout();
            ofDriver.setNetworkTimeout(Runnable::run, milliseconds);
        } catch (SQLException | AbstractMethodError unsupported) {
            return () -> {};
        }
        return () -> putBack(ofDriver, before);
    }

    private static void putBack(Connection ofDriver, int before) {
        try {
            ofDriver.setNetworkTimeout(Runnable::run, before);
        } catch (SQLException broken) {
            logger.debug("A connection that was given up keeps its limit", broken);
        }
    }
}
