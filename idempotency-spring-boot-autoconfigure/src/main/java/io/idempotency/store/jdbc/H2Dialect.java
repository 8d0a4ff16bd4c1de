package io.idempotency.store.jdbc;

import java.util.Optional;

/**
 * H2 2.2 and later, in any of its modes: only standard SQL and H2's own functions are used.
 *
 * <p>{@code CURRENT_TIMESTAMP} is frozen within a transaction of H2. Under autocommit that is the statement, and the
 * statements below do not wait before they read it. The one that may be part of a longer transaction reads the clock
 * elsewhere.
 */
final class H2Dialect implements JdbcDialect {

    @Override
    public String platform() {
        return "h2";
    }

    @Override
    public String claim() {
        return """
                SELECT FALSE AS granted, state, attempt, owner, fingerprint, bound, hold_abandoned,
                       COALESCE(expires_at <= CURRENT_TIMESTAMP, FALSE) AS expired,
                       DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP, lease_until) AS remaining_lease,
                       CASE WHEN state = 2 THEN outcome END AS outcome
                FROM {record}
                WHERE id = :id
                """;
    }

    @Override
    public Optional<String> insert() {
        return Optional.of("""
                INSERT INTO {record} (id, operation, state, owner, attempt, generation, fingerprint, bound,
                                      hold_abandoned, lease_until, expires_at)
                VALUES (:id, :operation, 1, :owner, 1, 1, :fingerprint, FALSE,
                        :hold, DATEADD(MICROSECOND, :lease, CURRENT_TIMESTAMP),
                        CASE WHEN NOT :hold THEN DATEADD(MICROSECOND, :lifetime, CURRENT_TIMESTAMP) END)
                """);
    }

    @Override
    public String take() {
        return """
                UPDATE {record}
                SET state = 1, owner = :owner, attempt = attempt + 1,
                    generation = generation + CASE WHEN expires_at <= CURRENT_TIMESTAMP THEN 1 ELSE 0 END,
                    fingerprint = :fingerprint,
                    bound = bound AND (expires_at IS NULL OR expires_at > CURRENT_TIMESTAMP),
                    hold_abandoned = :hold,
                    lease_until = DATEADD(MICROSECOND, :lease, CURRENT_TIMESTAMP),
                    expires_at = CASE WHEN NOT :hold THEN DATEADD(MICROSECOND, :lifetime, CURRENT_TIMESTAMP) END,
                    outcome = NULL
                WHERE id = (
                    SELECT id
                    FROM {record}
                    WHERE id = :id AND attempt = :attempt
                      AND (expires_at <= CURRENT_TIMESTAMP
                           OR state = 3 AND (fingerprint = :fingerprint OR NOT bound)
                           OR state = 1 AND fingerprint = :fingerprint AND NOT hold_abandoned
                              AND lease_until <= CURRENT_TIMESTAMP)
                    FOR UPDATE SKIP LOCKED)
                """;
    }

    @Override
    public String abandon() {
        return """
                UPDATE {record}
                SET state = 4, lease_until = NULL, expires_at = NULL
                WHERE id = (
                    SELECT id
                    FROM {record}
                    WHERE id = :id AND attempt = :attempt AND state = 1 AND hold_abandoned
                      AND lease_until <= CURRENT_TIMESTAMP
                    FOR UPDATE SKIP LOCKED)
                """;
    }

    @Override
    public String renew() {
        return """
                UPDATE {record}
                SET lease_until = DATEADD(MICROSECOND, :lease, CURRENT_TIMESTAMP)
                WHERE id = (
                    SELECT id
                    FROM {record}
                    WHERE id = :id AND owner = :owner AND state = 1
                    FOR UPDATE SKIP LOCKED)
                """;
    }

    @Override
    public Optional<String> lock() {
        return Optional.of("""
                SELECT attempt
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                FOR UPDATE
                """);
    }

    @Override
    public String complete() {
        // It may be the last of many statements of a transaction, which has used the frozen clock before.
        return """
                UPDATE {record}
                SET state = 2, outcome = :outcome, lease_until = NULL,
                    expires_at = DATEADD(MICROSECOND, :retention, (
                        SELECT executing_statement_start
                        FROM INFORMATION_SCHEMA.SESSIONS
                        WHERE session_id = SESSION_ID()))
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """;
    }

    @Override
    public String release() {
        return """
                UPDATE {record}
                SET state = 3, lease_until = NULL, expires_at = DATEADD(MICROSECOND, :retention, CURRENT_TIMESTAMP)
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """;
    }

    @Override
    public String resolve() {
        return """
                UPDATE {record}
                SET state = :state, outcome = :outcome, owner = NULL, lease_until = NULL,
                    expires_at = DATEADD(MICROSECOND, :retention, CURRENT_TIMESTAMP)
                WHERE id = :id AND attempt = :attempt AND state = 4
                """;
    }

    @Override
    public String find() {
        return """
                SELECT state, attempt, DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP, lease_until) AS remaining_lease
                FROM {record}
                WHERE id = :id AND (expires_at IS NULL OR expires_at > CURRENT_TIMESTAMP)
                """;
    }

    @Override
    public String sweep() {
        return """
                DELETE FROM {record}
                WHERE id IN (
                    SELECT id
                    FROM {record}
                    WHERE expires_at <= CURRENT_TIMESTAMP
                      AND (state IN (2, 3) OR state = 1 AND (lease_until IS NULL OR lease_until <= CURRENT_TIMESTAMP))
                    FETCH FIRST :limit ROWS ONLY
                    FOR UPDATE SKIP LOCKED)
                """;
    }
}
