package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/** The statements about steps, ready to be executed. */
record StepStatements(
        NamedStatement check,
        Optional<NamedStatement> recordAtOnce,
        Optional<NamedStatement> lockOwned,
        Optional<NamedStatement> lockDoubt,
        NamedStatement bind,
        NamedStatement bindAndRenew,
        NamedStatement insert,
        NamedStatement update,
        NamedStatement forget,
        NamedStatement read,
        NamedStatement earlierGenerations,
        NamedStatement running,
        NamedStatement resolve) {

    static StepStatements of(StepSql sql, JdbcStatements.Preparation preparation) {
        return new StepStatements(
                preparation.of(sql.check()),
                sql.dialect().recordStepAtOnce().map(preparation::of),
                whereReadingLocksNothing(sql.dialect(), sql.bindAnyway()).map(preparation::of),
                whereReadingLocksNothing(sql.dialect(), sql.lockDoubt()).map(preparation::of),
                preparation.of(sql.bind()),
                preparation.of(sql.bindAndRenew()),
                preparation.of(sql.dialect().recordStep()),
                preparation.of(sql.update()),
                preparation.of(sql.forget()),
                preparation.of(sql.read()),
                preparation.of(sql.forgetEarlierGenerations()),
                preparation.of(sql.forgetRunning()),
                preparation.of(sql.resolve()));
    }

    private static Optional<String> whereReadingLocksNothing(JdbcDialect dialect, String lock) {
        return dialect.rowLock().isPresent() ? Optional.empty() : Optional.of(lock);
    }

    Ownership record(Connection connection, Claim claim, StepRecord step) throws SQLException {
        Map<String, @Nullable Object> parameters = RecordParameters.of(claim, step);
        return record(connection, parameters) ? Ownership.OWNED : Ownership.LOST;
    }

    private boolean record(Connection connection, Map<String, @Nullable Object> parameters) throws SQLException {
        if (recordAtOnce.isPresent()) {
            return recordAtOnce.get().update(connection, parameters);
        }
        if (lockOwned.isPresent()) {
            return whileLocked(
                    connection,
                    parameters,
                    lockOwned,
                    () -> update.update(connection, parameters) || insert.update(connection, parameters));
        }
        // Should it end here, the record is bound a little too early, and nothing else.
        bind.update(connection, parameters);
        return insertOrUpdate(connection, parameters);
    }

    /** Returns whether it has changed anything. */
    private interface Write {
        boolean run() throws SQLException;
    }

    /**
     * Writes of a step while nobody can take its record. A database that reads an old version of that, and locks nothing by
     * it, would write the step of an owner who has just lost it, when the next one has read the steps already.
     *
     * @param lock empty where the write itself locks the record
     */
    private static boolean whileLocked(
            Connection connection,
            Map<String, ? extends @Nullable Object> parameters,
            Optional<NamedStatement> lock,
            Write write)
            throws SQLException {
        if (lock.isEmpty()) {
            return write.run();
        }
        connection.setAutoCommit(false);
        try {
            boolean done = lock.get().update(connection, parameters) && write.run();
            connection.commit();
            connection.setAutoCommit(true);
            return done;
        } catch (Throwable failure) {
            undo(connection, failure);
            throw failure;
        }
    }

    private static void undo(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
            JdbcConnections.discard(connection);
        }
    }

    boolean forget(Connection connection, Map<String, ? extends @Nullable Object> parameters) throws SQLException {
        return whileLocked(connection, parameters, lockOwned, () -> forget.update(connection, parameters));
    }

    boolean resolve(Connection connection, Map<String, ? extends @Nullable Object> parameters) throws SQLException {
        return whileLocked(connection, parameters, lockDoubt, () -> resolve.update(connection, parameters));
    }

    /** Records a step in a transaction that has the record locked, and starts the lease anew. */
    Ownership recordLocked(Connection connection, Claim claim, StepRecord step) throws SQLException {
        Map<String, @Nullable Object> parameters = RecordParameters.of(claim, step);
        return bindAndRenew.update(connection, parameters) && recordLocked(connection, parameters)
                ? Ownership.OWNED
                : Ownership.LOST;
    }

    private boolean recordLocked(Connection connection, Map<String, @Nullable Object> parameters) throws SQLException {
        return recordAtOnce.isPresent()
                ? recordAtOnce.get().update(connection, parameters)
                : insertOrUpdate(connection, parameters);
    }

    private boolean insertOrUpdate(Connection connection, Map<String, @Nullable Object> parameters)
            throws SQLException {
        try {
            return insert.update(connection, parameters);
        } catch (SQLException failure) {
            if (JdbcConnections.translated(failure) instanceof DataIntegrityViolationException) {
                return update.update(connection, parameters);
            }
            throw failure;
        }
    }

    void forgetEarlierGenerations(Connection connection, Map<String, ? extends @Nullable Object> parameters)
            throws SQLException {
        earlierGenerations.update(connection, parameters);
    }

    /**
     * Resolves a doubt and forgets the steps that have no end, both or neither: what a later attempt records is its own.
     *
     * @param resolve gives the record its new state, if it is in doubt
     */
    boolean forgetRunning(
            Connection connection, Map<String, ? extends @Nullable Object> parameters, NamedStatement resolve)
            throws SQLException {
        return whileLocked(connection, parameters, Optional.of(resolve), () -> {
            running.update(connection, parameters);
            return true;
        });
    }

    List<StepRecord> read(Connection connection, Map<String, ? extends @Nullable Object> parameters)
            throws SQLException {
        return read.queryList(connection, parameters, 0, StepStatements::readStep);
    }

    /**
     * @throws IdempotencyStoreException if a newer version of this library wrote a step that this one cannot judge
     */
    private static StepRecord readStep(ResultSet row) throws SQLException {
        byte[] result = row.getBytes("result");
        try {
            return new StepRecord(
                    StepIdentity.ofDigest(row.getString("name"), row.getBytes("id")),
                    StepState.ofCode(row.getInt("state")),
                    StandingRecord.readFingerprint(row),
                    row.getLong("attempt"),
                    result == null ? null : Outcome.ofBytes(result));
        } catch (IllegalArgumentException unknown) {
            throw StandingRecord.foreign(unknown);
        }
    }
}
