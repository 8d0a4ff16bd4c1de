package io.idempotency.store.jdbc;

import java.util.Optional;

/**
 * The statements that differ by database. Each is a whole statement and, under autocommit, a whole transaction: nothing
 * holds a lock between two of them. Every time is read from the clock of the database inside the statement, so that no
 * timestamp ever crosses the driver; durations are passed and returned in microseconds.
 *
 * <p>The table is written as <code>{record}</code>. Parameters are named: {@code :id} (32 bytes), {@code :operation} (at
 * most 255 characters), {@code :owner} (16 bytes), {@code :fingerprint} (33 bytes), {@code :attempt}, {@code :hold} (a
 * boolean: the record is to be in doubt when its holder vanished), {@code :outcome} (bytes, may be null), {@code :state}
 * (a code of {@link io.idempotency.core.RecordState}), {@code :limit}, and the durations {@code :lease},
 * {@code :lifetime} and {@code :retention}. A statement uses what it needs.
 *
 * <p>Those that say so skip a record that another transaction has locked, and count no row then. Implementations are
 * stateless.
 */
public interface JdbcDialect {

    /** Returns the name in {@code idempotency.jdbc.platform} and in {@code schema-<platform>.sql}. */
    String platform();

    /**
     * Reads what stands in the way of a claim, and inserts the claim where there is no record, if the database can do
     * both in one statement.
     *
     * <p>Gives at most one row: {@code granted} (whether it was inserted just now), {@code state}, {@code attempt},
     * {@code owner}, {@code fingerprint}, {@code bound}, {@code hold_abandoned}, {@code expired},
     * {@code remaining_lease}, and the {@code outcome} of a completed record. No row means that somebody else inserted in
     * between, or that {@link #insert()} must.
     */
    String claim();

    /**
     * Inserts the claim where {@link #claim()} found nothing; a unique violation means that somebody else was faster.
     * Empty where {@code claim()} inserts itself.
     */
    Optional<String> insert();

    /**
     * Takes a record whose newest attempt is {@code :attempt}, if it is expired, retryable, or running past its lease and
     * not to be held: the next attempt, a new generation where it was expired. Repeats the whole condition and skips a
     * locked record.
     */
    String take();

    /**
     * Puts a record whose newest attempt is {@code :attempt} in doubt, if it runs past its lease and is to be held. Skips
     * a locked record.
     */
    String abandon();

    /** Starts the lease of a running claim anew, by its owner. Skips a locked record. */
    String renew();

    /**
     * Locks the record of a running claim by its owner, inside a transaction and until that ends, and gives one row; none
     * where the claim is not the owner's any more. May wait for a moment for a renewal. Empty where this database cannot
     * protect an operation inside its own transaction, for lack of statements that skip a locked record.
     */
    Optional<String> lock();

    /** Records an outcome by the owner of a claim that is in progress or in doubt. */
    String complete();

    /** Makes a record retryable by the owner of a claim that is in progress or in doubt. */
    String release();

    /** Gives a record that is in doubt at {@code :attempt} the {@code :state} and {@code :outcome}, and no owner. */
    String resolve();

    /** Reads {@code state}, {@code attempt} and {@code remaining_lease} of a record that is not expired. */
    String find();

    /**
     * Deletes at most {@code :limit} records that are expired and that nobody needs: never one that is in doubt, or whose
     * lease is running. Finds them by the index on {@code expires_at}, and skips a locked record.
     */
    String sweep();
}
