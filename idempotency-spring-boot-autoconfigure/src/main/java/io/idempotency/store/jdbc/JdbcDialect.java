package io.idempotency.store.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * What differs by database in the statements of a store. A bean of this type takes the place of the dialect that would be
 * detected, so a database that this library does not know needs its clock and no more, if it skips locked rows in the way of
 * the SQL of PostgreSQL.
 *
 * <p>Each statement is, under autocommit, a whole transaction: nothing holds a lock between two of them. Exceptions
 * are what is done inside the transaction of an operation or of a step, the statements that let a doubt be retried, and
 * those about a step where there is no {@link #rowLock() row lock}. Times are read from the clock of the database inside
 * the statement, so that no timestamp ever crosses the driver; durations are passed and returned in microseconds.
 *
 * <p>In what these methods return, the table is written as <code>{record}</code>; its columns are those of
 * {@code schema-<platform>.sql}. Parameters are named:
 *
 * <ul>
 *   <li>{@code :id} (32 bytes), {@code :operation} (at most 255 characters), {@code :owner} (16 bytes),
 *       {@code :fingerprint} (33 bytes), {@code :attempt}, {@code :outcome} (bytes, may be null), {@code :state} (a code of
 *       {@link io.idempotency.core.RecordState}), {@code :limit};
 *   <li>{@code :hold}, true where the record is to be in doubt when its holder vanished, {@code :bound}, true where steps
 *       were recorded, and {@code :no}, always false: not every database has these words, but every driver has the values;
 *   <li>the durations {@code :lease}, {@code :lifetime} (null where the record is to be held) and {@code :retention};
 *   <li>{@code :now}, and {@code :lease_end}, {@code :lifetime_end} and {@code :retention_end}, in microseconds since 1970:
 *       the clock of this JVM, for a database whose own cannot be read.
 * </ul>
 *
 * <p>Implementations are stateless.
 */
public interface JdbcDialect {

    /** Returns the name in {@code idempotency.jdbc.platform} and in {@code schema-<platform>.sql}. */
    String platform();

    /**
     * Returns the expression for the time at which the statement began, or a later one. It must not change with the time
     * zone of the session. Statements that contain it are executed under autocommit, but for those that record a step or give
     * it its result: what the time of that is, decides nothing.
     */
    String now();

    /**
     * Returns the expression for a time that comes after the beginning of the statement, even where that is part of a
     * transaction which began long before.
     *
     * @param duration the name of the parameter that says how long after, without its colon; the value may be null, and so
     *     is the time then
     */
    String nowPlus(String duration);

    /** Returns the expression for the whole microseconds from {@link #now()} until the time in a column. */
    String microsecondsUntil(String column);

    /**
     * Returns a statement that reads what stands in the way of a claim, and inserts the claim where there is no record.
     * Empty where the database cannot do both at once.
     *
     * <p>Gives at most one row: {@code granted} (whether it was inserted just now), {@code state}, {@code attempt},
     * {@code owner}, {@code fingerprint}, {@code bound}, {@code hold_abandoned}, {@code expired},
     * {@code remaining_lease}, and the {@code outcome} of a completed record. No row means that somebody else inserted in
     * between.
     */
    default Optional<String> claimAtOnce() {
        return Optional.empty();
    }

    /**
     * Returns what follows a {@code SELECT} to lock the row until the transaction ends, waiting for it if need be. Empty
     * where the database cannot protect an operation inside its own transaction, because {@link #updateUnlocked} would wait
     * for that transaction to end. Steps are then written in short transactions that lock the record by an update.
     */
    default Optional<String> rowLock() {
        return Optional.of("FOR UPDATE");
    }

    /**
     * Returns a statement that gives the {@code id} of each record for which a condition holds, but of none that another
     * transaction has locked, if the database can tell. The condition must hold for the newest committed version of a row.
     */
    default String selectUnlocked(String condition) {
        return """
                SELECT id
                FROM {record}
                WHERE %s
                FOR UPDATE SKIP LOCKED\
                """.formatted(condition);
    }

    /**
     * Returns a statement that changes the one record for which a condition holds. It skips a record that another
     * transaction has locked, if the database can do so, and counts no row then. The condition must hold for the newest
     * committed version of the row.
     *
     * @param assignments in an order in which none reads what one before it wrote
     * @param condition names the record by {@code id = :id}
     */
    default String updateUnlocked(String assignments, String condition) {
        return """
                UPDATE {record}
                SET %s
                WHERE id = (
                    %s)
                """.formatted(assignments, selectUnlocked(condition));
    }

    /**
     * Returns a statement that deletes at most {@code :limit} of the records for which a condition holds. It skips what
     * another transaction has locked, if the database can do so, and the condition must hold for the newest committed version
     * of each row. Empty where there is no such statement: the records are then selected by {@link #selectUnlocked} and
     * deleted one by one.
     *
     * @param condition gives an upper limit for {@code expires_at}, so that its index finds the rows
     */
    default Optional<String> deleteUnlocked(String condition) {
        return Optional.empty();
    }

    /**
     * Returns a statement that marks the record of a running claim as bound and records a step, by the owner of the claim, in
     * the place of what was recorded of it before. Empty where the database cannot do all at once.
     *
     * <p>The table is written as <code>{step}</code>, and its further parameters are {@code :step} (32 bytes) and
     * {@code :name}; {@code :state} is a code of {@link io.idempotency.core.StepState} here, and {@code :yes} always true.
     */
    default Optional<String> recordStepAtOnce() {
        return Optional.empty();
    }

    /**
     * Returns a statement that records a step by the owner of a running claim. It violates the primary key where there is a
     * record of the step already, or takes its place. The record of the claim stays locked until the step is committed.
     */
    default String recordStep() {
        return """
                INSERT INTO {step} (record_id, generation, id, name, state, fingerprint, attempt, recorded_at, result)
                SELECT id, generation, :step, :name, :state, :fingerprint, :attempt, %s, :outcome
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                %s
                """.formatted(now(), rowLock().orElse(""));
    }

    /** Says whether the database gave a statement up in favour of another transaction, so that it may be tried again. */
    default boolean isConcurrencyFailure(SQLException failure) {
        return JdbcConnections.translated(failure) instanceof ConcurrencyFailureException;
    }
}
