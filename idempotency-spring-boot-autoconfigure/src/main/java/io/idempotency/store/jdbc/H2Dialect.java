package io.idempotency.store.jdbc;

import java.sql.SQLException;
import java.util.Optional;

/**
 * H2 2.2 and later, in any of its modes: only standard SQL and H2's own functions are used.
 *
 * <p>{@code CURRENT_TIMESTAMP} is the start of the transaction in some of them. Under autocommit that is the statement. The
 * start of a statement inside a longer transaction is to be read elsewhere.
 */
final class H2Dialect implements JdbcDialect {

    /** H2 waits for locks two seconds by default, which two sweepers of a busy machine may need. */
    private static final int LOCK_TIMEOUT = 50200;

    private static final int GENERAL_ERROR = 50000;

    @Override
    public String platform() {
        return "h2";
    }

    @Override
    public String now() {
        return "CURRENT_TIMESTAMP";
    }

    @Override
    public String nowPlus(String duration) {
        return "DATEADD(MICROSECOND, :" + duration + ", (SELECT executing_statement_start"
                + " FROM INFORMATION_SCHEMA.SESSIONS WHERE session_id = SESSION_ID()))";
    }

    @Override
    public String microsecondsUntil(String column) {
        // DATEDIFF would compare the clocks on the wall, which are set forward and back.
        return "CAST((EXTRACT(EPOCH FROM " + column + ") - EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)) * 1000000 AS BIGINT)";
    }

    @Override
    public Optional<String> deleteUnlocked(String condition) {
        // Waits for locked rows. To skip them takes a sub-select, which H2 runs anew for each row.
        return Optional.of("""
                DELETE FROM {record}
                WHERE %s
                FETCH FIRST :limit ROWS ONLY
                """.formatted(condition));
    }

    @Override
    public boolean isConcurrencyFailure(SQLException failure) {
        return failure.getErrorCode() == LOCK_TIMEOUT
                || metEndingSession(failure)
                || JdbcDialect.super.isConcurrencyFailure(failure);
    }

    /** H2 lists all sessions when one asks for itself, and stumbles over another whose transaction ends at this moment. */
    private static boolean metEndingSession(SQLException failure) {
        return failure.getErrorCode() == GENERAL_ERROR && failure.getCause() instanceof NullPointerException;
    }
}
