package io.idempotency.store.jdbc;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How a JDBC store is set up.
 *
 * @param tablePrefix what the names of the tables begin with; may name a schema, as in {@code audit.idempotency_}
 * @param poolSize the number of connections of the pool that the store has for itself beside a Hikari pool, one of which is
 *     kept for renewals where there are several; 0 shares the application's
 * @param timeout how long the store waits for its turn, for a connection, and for the answer to a statement; the last is
 *     rounded up to whole seconds
 */
public record JdbcStoreSettings(String tablePrefix, int poolSize, Duration timeout) {

    /** The prefix becomes part of statements, so it may hold nothing that could be more than a name. */
    private static final Pattern NAME_PREFIX = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");

    /**
     * @throws IllegalArgumentException if a value is out of its limits; the message names the property
     */
    public JdbcStoreSettings {
        if (!NAME_PREFIX.matcher(tablePrefix).matches()) {
            throw new IllegalArgumentException(
                    ("idempotency.jdbc.table-prefix is '%s', but may hold letters, digits and underscores only, "
                                    + "after a schema and a dot if need be")
                            .formatted(tablePrefix));
        }
        if (poolSize < 0) {
            throw new IllegalArgumentException(
                    "idempotency.jdbc.pool-size is " + poolSize + ", but must not be negative");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("idempotency.store-timeout is " + timeout + ", but must be positive");
        }
    }

    /** Returns the name of the table of the steps. */
    String stepTable() {
        return tablePrefix + "step";
    }

    /** Returns the name of the table of the records. */
    String recordTable() {
        return tablePrefix + "record";
    }
}
