package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.StepRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * How a record is claimed by one claim, on as many connections as it takes.
 *
 * <ol>
 *   <li>Read what stands, or insert the claim where nothing does.
 *   <li>What stands and is not to be had is the answer.
 *   <li>What stands and is to be had is taken by a statement that repeats the whole condition, so that one of many wins.
 *       The steps are read after that, when nobody else can record one any more.
 *   <li>Whoever loses a race, or meets a record that is locked, reads again after a short pause, and after a few times says
 *       that the operation is in progress. Nobody ever runs because he could not read.
 * </ol>
 */
final class ClaimProtocol implements JdbcConnections.Work<ClaimOutcome> {

    private static final int MAX_READS = 6;

    private final JdbcStatements statements;

    private final ClaimRequest request;

    private final Map<String, @Nullable Object> parameters;

    /** Whether it took a record whose holder had vanished: on a later connection the record is its own already. */
    private boolean takeover;

    ClaimProtocol(JdbcStatements statements, ClaimRequest request) {
        this.statements = statements;
        this.request = request;
        this.parameters = RecordParameters.of(request);
    }

    @Override
    public ClaimOutcome with(Connection connection) throws SQLException {
        SQLException violation = null;
        for (int reads = 0; reads < MAX_READS; reads++) {
            if (reads > 0) {
                RacePause.pause();
            }
            Optional<StandingRecord> standing = statements.claim().query(connection, parameters, StandingRecord::read);
            if (standing.isPresent()) {
                violation = null;
                Optional<ClaimOutcome> answer = answer(connection, standing.get());
                if (answer.isPresent()) {
                    return answer.get();
                }
            } else if (statements.insert().isPresent()) {
                violation = insert(connection, statements.insert().get());
                if (violation == null) {
                    return granted(1, List.of());
                }
            }
        }
        if (violation != null) {
            // Not because the record exists, for it was never there to be read.
            throw violation;
        }
        return new ClaimOutcome.InProgress(Duration.ZERO);
    }

    /** Answers by what stands; empty where it must be read again. */
    private Optional<ClaimOutcome> answer(Connection connection, StandingRecord standing) throws SQLException {
        if (standing.granted()) {
            return Optional.of(granted(standing.attempt(), List.of()));
        }
        if (standing.isHeldBy(request.owner())) {
            return statements.renew().update(connection, parameters)
                    ? Optional.of(granted(standing.attempt(), steps(connection, standing)))
                    : Optional.empty();
        }
        Optional<ClaimOutcome> answer = standing.answerTo(request);
        return answer.isPresent() ? answer : take(connection, standing);
    }

    private Optional<ClaimOutcome> take(Connection connection, StandingRecord standing) throws SQLException {
        long attempt = standing.attempt();
        Map<String, @Nullable Object> seen = new HashMap<>(parameters);
        seen.put("attempt", attempt);
        seen.put("state", standing.state().code());
        seen.put("bound", standing.bound());
        if (standing.isAbandoned() && standing.holdAbandoned()) {
            return statements.abandon().update(connection, seen)
                    ? Optional.of(new ClaimOutcome.InDoubt(attempt))
                    : Optional.empty();
        }
        if (!statements.take().update(connection, seen)) {
            return Optional.empty();
        }
        takeover = standing.isAbandoned();
        return Optional.of(granted(attempt + 1, steps(connection, standing)));
    }

    /** Returns the steps that come along with a record that was granted; those of an earlier generation are deleted. */
    private List<StepRecord> steps(Connection connection, StandingRecord standing) throws SQLException {
        if (!standing.bound()) {
            return List.of();
        }
        if (standing.expired()) {
            statements.steps().forgetEarlierGenerations(connection, parameters);
            return List.of();
        }
        return statements.steps().read(connection, parameters);
    }

    /**
     * Returns the violation where there may be a record already. Not every database tells a violated key from another
     * constraint.
     */
    private @Nullable SQLException insert(Connection connection, NamedStatement insert) throws SQLException {
        try {
            insert.update(connection, parameters);
            return null;
        } catch (SQLException failure) {
            if (JdbcConnections.translated(failure) instanceof DataIntegrityViolationException) {
                return failure;
            }
            throw failure;
        }
    }

    private ClaimOutcome granted(long attempt, List<StepRecord> steps) {
        Claim claim = new Claim(request.identity(), request.owner(), attempt, request.lease());
        return new ClaimOutcome.Granted(claim, takeover, steps);
    }
}
