package io.idempotency.store.jdbc;

import java.util.Optional;

/**
 * PostgreSQL 12 and later.
 *
 * <p>{@code clock_timestamp()} rather than {@code now()}: the latter is the start of the transaction, so a statement that
 * waited would write a lease that is over when it begins. A sub-select with {@code FOR NO KEY UPDATE SKIP LOCKED} sees
 * the newest committed version of the row and never waits for it; {@code NO KEY}, because the key does not change and
 * references to it need not be kept out.
 */
final class PostgresDialect implements JdbcDialect {

    @Override
    public String platform() {
        return "postgresql";
    }

    @Override
    public String claim() {
        // ON CONFLICT stays DO NOTHING: DO UPDATE would lock the row for every duplicate, and wait for its owner.
        return """
                WITH standing AS MATERIALIZED (
                    SELECT state, attempt, owner, fingerprint, bound, hold_abandoned,
                           coalesce(expires_at <= clock_timestamp(), FALSE) AS expired,
                           CAST(extract(EPOCH FROM lease_until - clock_timestamp()) * 1000000 AS BIGINT)
                               AS remaining_lease,
                           CASE WHEN state = 2 THEN outcome END AS outcome
                    FROM {record}
                    WHERE id = :id),
                inserted AS (
                    INSERT INTO {record} (id, operation, state, owner, attempt, generation, fingerprint, bound,
                                          hold_abandoned, lease_until, expires_at)
                    SELECT :id, :operation, 1, :owner, 1, 1, :fingerprint, FALSE,
                           :hold, clock_timestamp() + :lease * INTERVAL '1 microsecond',
                           CASE WHEN NOT :hold THEN clock_timestamp() + :lifetime * INTERVAL '1 microsecond' END
                    WHERE NOT EXISTS (SELECT FROM standing)
                    ON CONFLICT (id) DO NOTHING
                    RETURNING state, attempt, owner, fingerprint, bound, hold_abandoned, outcome)
                SELECT FALSE AS granted, state, attempt, owner, fingerprint, bound, hold_abandoned, expired,
                       remaining_lease, outcome
                FROM standing
                UNION ALL
                SELECT TRUE, state, attempt, owner, fingerprint, bound, hold_abandoned, FALSE, :lease, outcome
                FROM inserted
                """;
    }

    @Override
    public Optional<String> insert() {
        return Optional.empty();
    }

    @Override
    public String take() {
        return """
                UPDATE {record}
                SET state = 1, owner = :owner, attempt = attempt + 1,
                    generation = generation + CASE WHEN expires_at <= clock_timestamp() THEN 1 ELSE 0 END,
                    fingerprint = :fingerprint,
                    bound = bound AND (expires_at IS NULL OR expires_at > clock_timestamp()),
                    hold_abandoned = :hold,
                    lease_until = clock_timestamp() + :lease * INTERVAL '1 microsecond',
                    expires_at =
                        CASE WHEN NOT :hold THEN clock_timestamp() + :lifetime * INTERVAL '1 microsecond' END,
                    outcome = NULL
                WHERE id = (
                    SELECT id
                    FROM {record}
                    WHERE id = :id AND attempt = :attempt
                      AND (expires_at <= clock_timestamp()
                           OR state = 3 AND (fingerprint = :fingerprint OR NOT bound)
                           OR state = 1 AND fingerprint = :fingerprint AND NOT hold_abandoned
                              AND lease_until <= clock_timestamp())
                    FOR NO KEY UPDATE SKIP LOCKED)
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
                      AND lease_until <= clock_timestamp()
                    FOR NO KEY UPDATE SKIP LOCKED)
                """;
    }

    @Override
    public String renew() {
        return """
                UPDATE {record}
                SET lease_until = clock_timestamp() + :lease * INTERVAL '1 microsecond'
                WHERE id = (
                    SELECT id
                    FROM {record}
                    WHERE id = :id AND owner = :owner AND state = 1
                    FOR NO KEY UPDATE SKIP LOCKED)
                """;
    }

    @Override
    public Optional<String> lock() {
        return Optional.of("""
                SELECT attempt
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                FOR NO KEY UPDATE
                """);
    }

    @Override
    public String complete() {
        return """
                UPDATE {record}
                SET state = 2, outcome = :outcome, lease_until = NULL,
                    expires_at = clock_timestamp() + :retention * INTERVAL '1 microsecond'
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """;
    }

    @Override
    public String release() {
        return """
                UPDATE {record}
                SET state = 3, lease_until = NULL,
                    expires_at = clock_timestamp() + :retention * INTERVAL '1 microsecond'
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """;
    }

    @Override
    public String resolve() {
        return """
                UPDATE {record}
                SET state = :state, outcome = :outcome, owner = NULL, lease_until = NULL,
                    expires_at = clock_timestamp() + :retention * INTERVAL '1 microsecond'
                WHERE id = :id AND attempt = :attempt AND state = 4
                """;
    }

    @Override
    public String find() {
        return """
                SELECT state, attempt,
                       CAST(extract(EPOCH FROM lease_until - clock_timestamp()) * 1000000 AS BIGINT) AS remaining_lease
                FROM {record}
                WHERE id = :id AND (expires_at IS NULL OR expires_at > clock_timestamp())
                """;
    }

    @Override
    public String sweep() {
        // The start of the statement, not the volatile clock: the index is of no use for that.
        return """
                DELETE FROM {record}
                WHERE id = ANY (ARRAY(
                    SELECT id
                    FROM {record}
                    WHERE expires_at <= statement_timestamp()
                      AND (state IN (2, 3) OR state = 1 AND (lease_until IS NULL OR lease_until <= statement_timestamp()))
                    ORDER BY expires_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED))
                """;
    }
}
