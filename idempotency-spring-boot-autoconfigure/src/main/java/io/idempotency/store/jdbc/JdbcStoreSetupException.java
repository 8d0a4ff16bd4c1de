package io.idempotency.store.jdbc;

import org.jspecify.annotations.Nullable;

/** A JDBC store cannot work with the database as it is. */
public final class JdbcStoreSetupException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    JdbcStoreSetupException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    /** Returns what to do about it. */
    public String remedy() {
        return remedy;
    }
}
