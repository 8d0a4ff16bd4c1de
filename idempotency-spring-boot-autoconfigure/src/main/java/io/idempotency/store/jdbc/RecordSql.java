package io.idempotency.store.jdbc;

import java.util.Optional;

/** Writes the statements of a store in the language of one database. */
record RecordSql(JdbcDialect dialect) {

    /** Finds no row, but fails when the table or a column is missing. */
    String check() {
        return """
                SELECT id, operation, state, owner, attempt, generation, fingerprint, bound, hold_abandoned, lease_until,
                       expires_at, outcome
                FROM {record}
                WHERE 1 = 0
                """;
    }

    /** Reads what stands in the way of a claim; inserts the claim where nothing does and {@link #insert()} is empty. */
    String claim() {
        return dialect.claimAtOnce()
                .orElseGet(() -> """
                SELECT 0 AS granted, state, attempt, owner, fingerprint, bound, hold_abandoned,
                       CASE WHEN expires_at <= %s THEN 1 ELSE 0 END AS expired,
                       %s AS remaining_lease,
                       CASE WHEN state = 2 THEN outcome END AS outcome
                FROM {record}
                WHERE id = :id
                """.formatted(dialect.now(), dialect.microsecondsUntil("lease_until")));
    }

    /** Inserts the claim where {@link #claim()} found nothing; a violation means that somebody else was faster. */
    Optional<String> insert() {
        return dialect.claimAtOnce().isPresent()
                ? Optional.empty()
                : Optional.of("""
                INSERT INTO {record} (id, operation, state, owner, attempt, generation, fingerprint, bound,
                                      hold_abandoned, lease_until, expires_at)
                VALUES (:id, :operation, 1, :owner, 1, 1, :fingerprint, :no, :hold, %s, %s)
                """.formatted(dialect.nowPlus("lease"), dialect.nowPlus("lifetime")));
    }

    /**
     * Takes a record whose newest attempt is {@code :attempt}, if it is expired, retryable, or running past its lease and
     * not to be held: the next attempt, a new generation where it was expired. Only if it still is what was read, since that
     * says whether there are steps to read: the holder may have recorded the first of them since, or ended its attempt.
     */
    String take() {
        return dialect.updateUnlocked(
                """
                state = 1, owner = :owner, attempt = attempt + 1,
                    generation = CASE WHEN expires_at <= %1$s THEN generation + 1 ELSE generation END,
                    bound = CASE WHEN expires_at <= %1$s THEN :no ELSE bound END,
                    fingerprint = :fingerprint, hold_abandoned = :hold, lease_until = %2$s, expires_at = %3$s,
                    outcome = NULL\
                """.formatted(dialect.now(), dialect.nowPlus("lease"), dialect.nowPlus("lifetime")),
                """
                id = :id AND attempt = :attempt AND state = :state AND bound = :bound
                      AND (expires_at <= %1$s
                           OR state = 3 AND (fingerprint = :fingerprint OR bound = :no)
                           OR state = 1 AND fingerprint = :fingerprint AND hold_abandoned = :no AND lease_until <= %1$s)\
                """.formatted(dialect.now()));
    }

    /** Puts a record whose newest attempt is {@code :attempt} in doubt, if it runs past its lease and is to be held. */
    String abandon() {
        return dialect.updateUnlocked("state = 4, lease_until = NULL, expires_at = NULL", """
                id = :id AND attempt = :attempt AND state = 1 AND hold_abandoned <> :no
                      AND lease_until <= %s\
                """.formatted(dialect.now()));
    }

    /** Starts the lease of a running claim anew, by its owner. */
    String renew() {
        return dialect.updateUnlocked(
                "lease_until = " + dialect.nowPlus("lease"), "id = :id AND owner = :owner AND state = 1");
    }

    /**
     * Locks the record of a running claim by its owner, inside a transaction and until that ends, and gives one row; none
     * where the claim is not the owner's any more. May wait for a moment for a renewal. Empty where the database cannot
     * protect an operation inside its own transaction.
     */
    Optional<String> lock() {
        return dialect.rowLock().map("""
                SELECT attempt
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                %s
                """::formatted);
    }

    /** Records an outcome by the owner of a claim that is in progress or in doubt. */
    String complete() {
        return """
                UPDATE {record}
                SET state = 2, outcome = :outcome, lease_until = NULL, expires_at = %s
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """.formatted(dialect.nowPlus("retention"));
    }

    /** Makes a record retryable by the owner of a claim that is in progress or in doubt. */
    String release() {
        return """
                UPDATE {record}
                SET state = 3, lease_until = NULL, expires_at = %s
                WHERE id = :id AND owner = :owner AND state IN (1, 4)
                """.formatted(dialect.nowPlus("retention"));
    }

    /** Puts a record in doubt by the owner of a claim that is in progress. */
    String hold() {
        return """
                UPDATE {record}
                SET state = 4, lease_until = NULL, expires_at = NULL
                WHERE id = :id AND owner = :owner AND state = 1
                """;
    }

    /** Finds a record that its owner has brought into a state. */
    String owned() {
        return """
                SELECT state
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = :state
                """;
    }

    /** Gives a record that is in doubt at {@code :attempt} the {@code :state} and {@code :outcome}, and no owner. */
    String resolve() {
        return """
                UPDATE {record}
                SET state = :state, outcome = :outcome, owner = NULL, lease_until = NULL, expires_at = %s
                WHERE id = :id AND attempt = :attempt AND state = 4
                """.formatted(dialect.nowPlus("retention"));
    }

    /** Reads a record that is not expired. */
    String find() {
        return """
                SELECT state, attempt, %s AS remaining_lease
                FROM {record}
                WHERE id = :id AND (expires_at IS NULL OR expires_at > %s)
                """.formatted(dialect.microsecondsUntil("lease_until"), dialect.now());
    }

    /** Deletes records that nobody needs any more. Empty where these are to be found first and deleted one by one. */
    Optional<String> sweep() {
        return dialect.deleteUnlocked(forgotten());
    }

    /** Gives the {@code id} of records that nobody needs any more. */
    String findForgotten() {
        return dialect.selectUnlocked(forgotten());
    }

    /** Deletes one record, unless it was claimed anew. */
    String deleteForgotten() {
        return """
                DELETE FROM {record}
                WHERE id = :id AND %s
                """.formatted(forgotten());
    }

    /** Expired, but neither in doubt nor with a lease that is running. */
    private String forgotten() {
        return """
                expires_at <= %1$s AND (state IN (2, 3) OR state = 1 AND (lease_until IS NULL OR lease_until <= %1$s))\
                """.formatted(dialect.now());
    }
}
