package io.idempotency.store.jdbc;

import java.util.Optional;

/**
 * PostgreSQL 12 and later.
 *
 * <p>{@code statement_timestamp()} rather than {@code now()}: the latter is the start of the transaction, so in one that is
 * older than a lease it would write leases that are over when they begin. {@code clock_timestamp()} would go on while the
 * statement runs, and no index is of use for what it is compared with.
 *
 * <p>{@code NO KEY}, because keys do not change and references to the row need not be kept out.
 */
final class PostgresDialect implements JdbcDialect {

    @Override
    public String platform() {
        return "postgresql";
    }

    @Override
    public String now() {
        return "statement_timestamp()";
    }

    @Override
    public String nowPlus(String duration) {
        return "statement_timestamp() + :" + duration + " * INTERVAL '1 microsecond'";
    }

    @Override
    public String microsecondsUntil(String column) {
        return "CAST(extract(EPOCH FROM " + column + " - statement_timestamp()) * 1000000 AS BIGINT)";
    }

    @Override
    public Optional<String> claimAtOnce() {
        // ON CONFLICT stays DO NOTHING: DO UPDATE would lock the row for every duplicate, and wait for its owner.
        return Optional.of("""
                WITH standing AS MATERIALIZED (
                    SELECT state, attempt, owner, fingerprint, bound, hold_abandoned,
                           coalesce(expires_at <= statement_timestamp(), FALSE) AS expired,
                           %s AS remaining_lease,
                           CASE WHEN state = 2 THEN outcome END AS outcome
                    FROM {record}
                    WHERE id = :id),
                inserted AS (
                    INSERT INTO {record} (id, operation, state, owner, attempt, generation, fingerprint, bound,
                                          hold_abandoned, lease_until, expires_at)
                    SELECT :id, :operation, 1, :owner, 1, 1, :fingerprint, FALSE, :hold, %s, %s
                    WHERE NOT EXISTS (SELECT FROM standing)
                    ON CONFLICT (id) DO NOTHING
                    RETURNING state, attempt, owner, fingerprint, bound, hold_abandoned, outcome)
                SELECT FALSE AS granted, state, attempt, owner, fingerprint, bound, hold_abandoned, expired,
                       remaining_lease, outcome
                FROM standing
                UNION ALL
                SELECT TRUE, state, attempt, owner, fingerprint, bound, hold_abandoned, FALSE, :lease, outcome
                FROM inserted
                """.formatted(microsecondsUntil("lease_until"), nowPlus("lease"), nowPlus("lifetime")));
    }

    @Override
    public Optional<String> recordStepAtOnce() {
        return Optional.of("""
                WITH owned AS (
                    UPDATE {record}
                    SET bound = :yes
                    WHERE id = :id AND owner = :owner AND state = 1
                    RETURNING id, generation)
                INSERT INTO {step} (record_id, generation, id, name, state, fingerprint, attempt, recorded_at, result)
                SELECT id, generation, :step, :name, :state, :fingerprint, :attempt, %s, :outcome
                FROM owned
                ON CONFLICT (record_id, generation, id) DO UPDATE
                SET state = excluded.state, fingerprint = excluded.fingerprint, attempt = excluded.attempt,
                    recorded_at = excluded.recorded_at, result = excluded.result
                """.formatted(now()));
    }

    @Override
    public Optional<String> rowLock() {
        return Optional.of("FOR NO KEY UPDATE");
    }

    @Override
    public String selectUnlocked(String condition) {
        return """
                SELECT id
                FROM {record}
                WHERE %s
                FOR NO KEY UPDATE SKIP LOCKED\
                """.formatted(condition);
    }

    @Override
    public Optional<String> deleteUnlocked(String condition) {
        // An array, since a sub-select with a limit and IN may be planned so that it runs once for each row.
        return Optional.of("""
                DELETE FROM {record}
                WHERE id = ANY (ARRAY(
                    SELECT id
                    FROM {record}
                    WHERE %s
                    ORDER BY expires_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED))
                """.formatted(condition));
    }
}
