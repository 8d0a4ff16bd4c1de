package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordLock;
import io.idempotency.core.StepRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that is open on the calling thread, if it is one of the application's database. What is done in it uses
 * its connection, and leaves both open.
 */
final class JoinedTransaction {

    private static final String NOT_MANAGED =
            "The transaction manager does not manage the DataSource that the store is in; name the one that does by"
                    + " @Transactional(\"name\") on the method, or mark it with @IdempotencyTransactionManager";

    private static final String WITHOUT_LOCK =
            "The dialect '%s' has no statement that locks a record; use a database that can skip locked rows";

    /** Of PostgreSQL: {@code in_failed_sql_transaction}. */
    private static final String ABORTED = "25P02";

    private final DataSource dataSource;

    private final JdbcStatements statements;

    private final JdbcDialect dialect;

    private final SilenceLimit silenceLimit;

    JoinedTransaction(
            DataSource application, JdbcStatements statements, JdbcDialect dialect, SilenceLimit silenceLimit) {
        this.dataSource = JdbcConnections.withoutTransactions(application);
        this.statements = statements;
        this.dialect = dialect;
        this.silenceLimit = silenceLimit;
    }

    Optional<String> obstacle() {
        if (statements.lock().isEmpty()) {
            return Optional.of(withoutLock());
        }
        return TransactionSynchronizationManager.hasResource(dataSource) ? Optional.empty() : Optional.of(NOT_MANAGED);
    }

    private String withoutLock() {
        return WITHOUT_LOCK.formatted(dialect.platform());
    }

    RecordLock lock(Claim claim) {
        NamedStatement lock = statements.lock().orElseThrow(() -> new IllegalStateException(withoutLock()));
        limitTheEnd();
        try {
            return with(connection -> lock.query(connection, RecordParameters.of(claim), row -> RecordLock.LOCKED)
                    .orElse(RecordLock.LOST));
        } catch (SQLException failure) {
            if (dialect.isConcurrencyFailure(failure)) {
                return RecordLock.CONFLICT;
            }
            throw JdbcConnections.failed("lock", failure);
        }
    }

    /** A transaction manager may be set to know no synchronizations; then the limits of the application have to do. */
    private void limitTheEnd() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new LimitedEnd(dataSource, silenceLimit));
        }
    }

    Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        Map<String, Object> parameters = RecordParameters.of(claim, outcome, retention);
        try {
            return with(connection ->
                    statements.complete().update(connection, parameters) ? Ownership.OWNED : Ownership.LOST);
        } catch (SQLException failure) {
            throw failed("complete", failure);
        }
    }

    Ownership recordStep(Claim claim, StepRecord step) {
        try {
            return with(connection -> statements.steps().recordLocked(connection, claim, step));
        } catch (SQLException failure) {
            throw failed("record a step", failure);
        }
    }

    /** What the work has broken is no failure of the database, and the same in every attempt. */
    private static RuntimeException failed(String verb, SQLException failure) {
        return ABORTED.equals(failure.getSQLState())
                ? new IllegalStateException(
                        "A statement of the work had failed before, so that the transaction can only be rolled back; let its"
                                + " exception leave the work, or set a savepoint before it",
                        failure)
                : JdbcConnections.failed(verb, failure);
    }

    private <T> T with(JdbcConnections.Work<T> work) throws SQLException {
        obstacle().ifPresent(obstacle -> {
            throw new IllegalStateException(obstacle);
        });
        Connection connection = DataSourceUtils.doGetConnection(dataSource);
        try {
            return silenceLimit.during(connection, work);
        } finally {
            DataSourceUtils.doReleaseConnection(connection, dataSource);
        }
    }
}
