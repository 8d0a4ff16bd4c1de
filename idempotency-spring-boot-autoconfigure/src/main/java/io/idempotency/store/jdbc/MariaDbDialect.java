package io.idempotency.store.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * MariaDB 10.6 and later, and MySQL 8.0 and later.
 *
 * <p>{@code UTC_TIMESTAMP} in columns of type {@code DATETIME}, since sessions may be in any time zone, and a zone may have
 * hours that happen twice and others that never do.
 *
 * <p>Neither can skip locked rows in an {@code UPDATE} or {@code DELETE}, and MySQL does not let these read their own table
 * in a sub-select. So the row is locked in a derived table, which {@code LIMIT} keeps from being merged, and joined in that
 * order. Compared with {@code =} instead, MariaDB would read the whole table.
 */
final class MariaDbDialect implements JdbcDialect {

    /** Record has changed since last read, lock wait timeout exceeded, deadlock found: not all have a telling SQL state. */
    private static final Set<Integer> CONCURRENCY_FAILURES = Set.of(1020, 1205, 1213);

    private final String platform;

    MariaDbDialect(String platform) {
        this.platform = platform;
    }

    @Override
    public String platform() {
        return platform;
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String nowPlus(String duration) {
        return "UTC_TIMESTAMP(6) + INTERVAL :" + duration + " MICROSECOND";
    }

    @Override
    public String microsecondsUntil(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), " + column + ")";
    }

    @Override
    public String recordStep() {
        return """
                REPLACE INTO {step} (record_id, generation, id, name, state, fingerprint, attempt, recorded_at, result)
                SELECT id, generation, :step, :name, :state, :fingerprint, :attempt, %s, :outcome
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                FOR UPDATE
                """.formatted(now());
    }

    @Override
    public String updateUnlocked(String assignments, String condition) {
        return """
                UPDATE (
                    %s) AS unlocked
                STRAIGHT_JOIN {record} AS record ON record.id = unlocked.id
                SET %s
                """.formatted(selectUnlocked(condition + "\nLIMIT 1"), assignments);
    }

    @Override
    public Optional<String> deleteUnlocked(String condition) {
        return Optional.of("""
                DELETE record
                FROM (
                    %s) AS unlocked
                STRAIGHT_JOIN {record} AS record ON record.id = unlocked.id
                """.formatted(selectUnlocked(condition + "\nORDER BY expires_at\nLIMIT :limit")));
    }

    @Override
    public boolean isConcurrencyFailure(SQLException failure) {
        return CONCURRENCY_FAILURES.contains(failure.getErrorCode()) || JdbcDialect.super.isConcurrencyFailure(failure);
    }
}
