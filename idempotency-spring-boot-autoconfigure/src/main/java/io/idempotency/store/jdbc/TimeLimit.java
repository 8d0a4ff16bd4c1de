package io.idempotency.store.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * How long a statement may take.
 *
 * @param seconds JDBC knows no shorter limit than one
 * @param putBack whether the limit is undone after each statement. H2 keeps it for the whole session, which matters to
 *     others that share the connection; doing so each time costs H2 more than the statement.
 */
record TimeLimit(int seconds, boolean putBack) {

    static TimeLimit of(Duration timeout, boolean putBack) {
        long roundedUp = timeout.plusNanos(999_999_999).toSeconds();
        return new TimeLimit(Math.toIntExact(Math.min(roundedUp, Integer.MAX_VALUE)), putBack);
    }

    /** What is done with a statement. */
    interface Execution<S extends Statement, T> {
        T of(S statement) throws SQLException;
    }

    <S extends Statement, T> T execute(S statement, Execution<? super S, T> execution) throws SQLException {
        int before = statement.getQueryTimeout();
        if (before != seconds) {
            statement.setQueryTimeout(seconds);
        }
        try {
            return execution.of(statement);
        } finally {
            if (putBack) {
                statement.setQueryTimeout(before);
            }
        }
    }
}
