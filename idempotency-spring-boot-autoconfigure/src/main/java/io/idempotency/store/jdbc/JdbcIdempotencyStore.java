package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordLock;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepStore;
import io.idempotency.core.SweepableStore;
import io.idempotency.core.TransactionalStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in a table of a database.
 *
 * <ul>
 *   <li>Every statement is a transaction of its own, on a connection of the store's own: a verb neither sees nor touches
 *       the transaction of the calling thread, and what it wrote is visible to everybody when it returns. Few share a
 *       transaction: those that let a doubt be retried, and those about a step where the dialect has no
 *       {@link JdbcDialect#rowLock() row lock}.
 *   <li>A first execution costs two statements on PostgreSQL, a replay one. Where a database cannot read and insert in
 *       one statement, a first execution costs three. A takeover costs one more, and so does the next attempt after a
 *       release.
 *   <li>Recording a step costs one statement on PostgreSQL and two elsewhere, and a third where H2 has the step already.
 *       Without a row lock it costs three statements, or two where the step is there already, and a commit. Reading the
 *       recorded steps costs the next attempt one.
 *   <li>Only {@link #complete}, {@link #release}, {@link #hold}, {@link #resolve}, {@link #recordStep},
 *       {@link #forgetStep} and {@link #resolveStep} wait for a record that another transaction has locked, and no longer
 *       than {@link JdbcStoreSettings#timeout}: they must not be lost because a renewal was under way.
 *   <li>{@link #lock}, {@link #recordStepInTransaction} and {@link #completeInTransaction} use the connection of the
 *       transaction that is open on the calling thread.
 * </ul>
 */
public final class JdbcIdempotencyStore
        implements IdempotencyStore, StepStore, TransactionalStore, SweepableStore, AutoCloseable {

    private final JdbcConnections connections;

    private final JdbcStatements statements;

    private final RenewalBatch renewals;

    private final SweepBatch sweep;

    private final JoinedTransaction joinedTransaction;

    private JdbcIdempotencyStore(
            JdbcConnections connections, JdbcStatements statements, JoinedTransaction joinedTransaction) {
        this.connections = connections;
        this.statements = statements;
        this.joinedTransaction = joinedTransaction;
        this.renewals = new RenewalBatch(statements);
        this.sweep = new SweepBatch(statements);
    }

    /**
     * Opens a store: builds its pool and checks its table.
     *
     * @param dataSource of the application; it is not closed with the store
     * @throws JdbcStoreSetupException if the pool cannot be built, or the table or one of its columns is missing
     * @throws io.idempotency.core.IdempotencyStoreException if the database cannot be reached
     */
    public static JdbcIdempotencyStore open(DataSource dataSource, JdbcDialect dialect, JdbcStoreSettings settings) {
        JdbcConnections connections = JdbcConnections.of(dataSource, dialect, settings);
        try {
            TimeLimit timeLimit = TimeLimit.of(settings.timeout(), !connections.areOwn());
            JdbcStatements statements = JdbcStatements.of(dialect, settings, timeLimit);
            TableCheck.run(connections, statements.check(), dialect.platform(), settings.recordTable());
            TableCheck.run(connections, statements.steps().check(), dialect.platform(), settings.stepTable());
            JdbcStatements joined = JdbcStatements.of(dialect, settings, TimeLimit.of(settings.timeout(), true));
            return new JdbcIdempotencyStore(
                    connections,
                    statements,
                    new JoinedTransaction(dataSource, joined, dialect, SilenceLimit.of(settings.timeout())));
        } catch (RuntimeException failure) {
            connections.close();
            throw failure;
        }
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        return connections.call("claim", new ClaimProtocol(statements, request));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return claims.isEmpty()
                ? Map.of()
                : connections.callFirst("renew", connection -> renewals.renew(connection, claims));
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return end(
                "complete",
                statements.complete(),
                RecordParameters.of(claim, outcome, retention),
                RecordState.COMPLETED);
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        Map<String, Object> parameters = new HashMap<>(RecordParameters.of(claim));
        parameters.put("retention", RecordParameters.microseconds(retention));
        return end("release", statements.release(), parameters, RecordState.RETRYABLE);
    }

    @Override
    public Ownership hold(Claim claim) {
        return end("hold", statements.hold(), new HashMap<>(RecordParameters.of(claim)), RecordState.IN_DOUBT);
    }

    /** Writes the end of an attempt; where there is nothing to write, the owner may have written it before. */
    private Ownership end(String verb, NamedStatement statement, Map<String, Object> parameters, RecordState state) {
        parameters.put("state", state.code());
        return connections.call(verb, connection -> {
            boolean owned = statement.update(connection, parameters) || statements.isOwned(connection, parameters);
            return owned ? Ownership.OWNED : Ownership.LOST;
        });
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("id", identity.digest());
        parameters.put("attempt", attempt);
        parameters.put("retention", RecordParameters.microseconds(resolution.retention()));
        if (resolution instanceof Resolution.Complete complete) {
            parameters.put("state", RecordState.COMPLETED.code());
            parameters.put("outcome", complete.outcome().toBytes());
        } else {
            parameters.put("state", RecordState.RETRYABLE.code());
            parameters.put("outcome", null);
        }
        return connections.call(
                "resolve",
                connection -> resolution instanceof Resolution.Retry
                        ? statements.steps().forgetRunning(connection, parameters, statements.resolve())
                        : statements.resolve().update(connection, parameters));
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        return connections.call(
                "find",
                connection -> statements
                        .find()
                        .query(
                                connection,
                                Map.of("id", identity.digest()),
                                row -> new IdempotencyRecord(
                                        identity,
                                        StandingRecord.readState(row),
                                        row.getLong("attempt"),
                                        Objects.requireNonNullElse(
                                                StandingRecord.readRemainingLease(row), Duration.ZERO))));
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        return connections.call(
                "record a step", connection -> statements.steps().record(connection, claim, step));
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        return connections.call("forget a step", connection -> {
            Map<String, Object> parameters = new HashMap<>(RecordParameters.of(claim));
            parameters.put("step", step.digest());
            parameters.put("state", RecordState.IN_PROGRESS.code());
            parameters.put("yes", true);
            boolean owned =
                    statements.steps().forget(connection, parameters) || statements.isOwned(connection, parameters);
            return owned ? Ownership.OWNED : Ownership.LOST;
        });
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        Map<String, Object> parameters =
                Map.of("id", identity.digest(), "attempt", attempt, "step", step.digest(), "outcome", result.toBytes());
        return connections.call(
                "resolve a step", connection -> statements.steps().resolve(connection, parameters));
    }

    @Override
    public Optional<String> obstacle() {
        return joinedTransaction.obstacle();
    }

    @Override
    public RecordLock lock(Claim claim) {
        return joinedTransaction.lock(claim);
    }

    @Override
    public Ownership recordStepInTransaction(Claim claim, StepRecord step) {
        return joinedTransaction.recordStep(claim, step);
    }

    @Override
    public Ownership completeInTransaction(Claim claim, Outcome outcome, Duration retention) {
        return joinedTransaction.complete(claim, outcome, retention);
    }

    @Override
    public int sweep(int limit) {
        return connections.call("sweep", connection -> sweep.run(connection, limit));
    }

    /** Ends the store's own pool, if it has one. */
    @Override
    public void close() {
        connections.close();
    }
}
