package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.testsupport.PreparedStatements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The rows of steps. */
class JdbcStepsTests extends InEveryDatabase {

    private static final JdbcStoreSettings SHARING = new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(30));

    @Test
    void goWithTheirRecord() {
        recordAndRelease();
        database.expireRecords();

        assertThat(store.sweep(10)).isEqualTo(1);

        assertThat(rows()).isZero();
    }

    @Test
    void goWhenTheirRecordIsClaimedAnew() {
        recordAndRelease();
        database.expireRecords();

        Claims.granted(store, identity);

        assertThat(rows()).isZero();
    }

    @Test
    void thatANewerVersionWroteKeepTheOperationFromRunning() {
        recordAndRelease();
        database.jdbc().update("UPDATE idempotency_step SET state = 9");

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.claim(Claims.request(identity)))
                .withMessageContaining("another version");
    }

    /** Whoever comes between the two statements finds the record locked. */
    @Test
    void areForgottenByAnOperatorInTheMomentInWhichTheirRecordIsFree() {
        Claim claim = inDoubt();
        List<Object> others = new ArrayList<>();
        AtomicInteger writes = new AtomicInteger();
        DataSource slow = new PreparedStatements(database.application(), sql -> {
            if (!sql.startsWith("SELECT") && writes.incrementAndGet() == 2) {
                others.addAll(releaseAndClaim(claim));
            }
            return sql;
        });

        try (JdbcIdempotencyStore operator = database.openStore(slow, SHARING)) {
            assertThat(operator.resolve(identity, claim.attempt(), new Resolution.Retry(Claims.RETENTION)))
                    .isTrue();
        }

        assertThat(others)
                .hasSize(2)
                .doesNotContain(Ownership.OWNED)
                .doesNotHaveAnyElementsOfTypes(ClaimOutcome.Granted.class);
        assertThat(rows()).isZero();
    }

    private List<Object> releaseAndClaim(Claim held) {
        database.waitForLocksBriefly();
        JdbcStoreSettings impatient = new JdbcStoreSettings("idempotency_", 1, Duration.ofSeconds(1));
        try (JdbcIdempotencyStore other = database.openStore(database.application(), impatient)) {
            return List.of(
                    answer(() -> other.release(held, Claims.RETENTION)),
                    answer(() -> other.claim(Claims.request(identity))));
        }
    }

    private static Object answer(Supplier<Object> verb) {
        try {
            return verb.get();
        } catch (IdempotencyStoreException lockedOut) {
            return lockedOut;
        }
    }

    @Test
    void stayWithADoubtThatAnOperatorFailsToResolve() {
        Claim claim = inDoubt();
        DataSource failing = new PreparedStatements(database.application(), sql -> {
            if (sql.startsWith("DELETE FROM idempotency_step")) {
                throw new SQLException("planted", "58000");
            }
            return sql;
        });

        try (JdbcIdempotencyStore operator = database.openStore(failing, SHARING)) {
            assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(
                            () -> operator.resolve(identity, claim.attempt(), new Resolution.Retry(Claims.RETENTION)));
        }

        assertThat(store.find(identity).orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(rows()).isEqualTo(1);
    }

    private Claim inDoubt() {
        Claim claim = Claims.granted(store, identity);
        store.recordStep(
                claim,
                new StepRecord(
                        StepIdentity.of("charge", null), StepState.RUNNING, Fingerprint.none(), claim.attempt(), null));
        store.hold(claim);
        return claim;
    }

    @Test
    void areBroughtByATakeoverThatTheyWereRecordedDuring() {
        assertThat(takeoverDuring(claim -> record(claim, "charge"))).containsExactly("charge");
    }

    @Test
    void areBroughtByATakeoverThatOneMoreOfThemWasRecordedDuring() {
        Claim holder = Claims.granted(store, identity);
        record(holder, "charge");

        assertThat(takeover(holder, () -> record(holder, "ship"))).containsExactlyInAnyOrder("charge", "ship");
    }

    @Test
    void areBroughtByAClaimThatTheirAttemptEndsDuring() {
        assertThat(takeoverDuring(claim -> {
                    record(claim, "charge");
                    store.release(claim, Claims.RETENTION);
                }))
                .containsExactly("charge");
    }

    /** The claim counted the record as forgotten, and by the time that it takes it, it is released and kept on. */
    @Test
    void areBroughtByAClaimThatTheirRecordIsKeptOnDuring() {
        Claim holder = Claims.granted(store, identity);
        record(holder, "charge");
        database.expireRecords();

        assertThat(takeover(holder, () -> store.release(holder, Claims.RETENTION)))
                .containsExactly("charge");
    }

    /** The record is taken by then, and is the claim's own when it comes again. */
    @Test
    void areBroughtByATakeoverWhoseReadingOfThemIsTriedAgain() {
        record(Claims.granted(store, identity), "charge");
        database.expireLeases();

        ClaimOutcome.Granted granted = claimReadingStepsTwice();

        assertThat(granted.takeover()).isTrue();
        assertThat(granted.claim().attempt()).isEqualTo(2);
        assertThat(granted.steps()).hasSize(1);
    }

    @Test
    void areBroughtByTheAttemptAfterAReleaseWhoseReadingOfThemIsTriedAgain() {
        recordAndRelease();

        ClaimOutcome.Granted granted = claimReadingStepsTwice();

        assertThat(granted.takeover()).isFalse();
        assertThat(granted.steps()).hasSize(1);
    }

    private ClaimOutcome.Granted claimReadingStepsTwice() {
        AtomicInteger readings = new AtomicInteger();
        DataSource contended = new PreparedStatements(database.application(), sql -> {
            if (sql.startsWith("SELECT id, name, state") && readings.incrementAndGet() == 1) {
                throw new SQLException("given up in favour of another transaction", "40001");
            }
            return sql;
        });
        try (JdbcIdempotencyStore taker = database.openStore(contended, SHARING)) {
            ClaimOutcome answer = taker.claim(Claims.request(identity));

            assertThat(readings).hasValue(2);
            assertThat(answer).isInstanceOf(ClaimOutcome.Granted.class);
            return (ClaimOutcome.Granted) answer;
        }
    }

    private List<String> takeoverDuring(Consumer<Claim> lateness) {
        Claim holder = Claims.granted(store, identity);
        return takeover(holder, () -> lateness.accept(holder));
    }

    /**
     * Claims the record of a holder whose lease is over.
     *
     * @param late what the holder does once the claim has seen that, and before it takes the record
     * @return the names of the steps that the claim brings
     */
    private List<String> takeover(Claim holder, Runnable late) {
        database.expireLeases();
        AtomicBoolean isLate = new AtomicBoolean();
        DataSource slow = new PreparedStatements(database.application(), sql -> {
            if (sql.contains("attempt = attempt + 1") && isLate.compareAndSet(false, true)) {
                late.run();
            }
            return sql;
        });
        try (JdbcIdempotencyStore taker = database.openStore(slow, SHARING)) {
            ClaimOutcome answer = taker.claim(Claims.request(identity));

            assertThat(isLate).isTrue();
            assertThat(answer).isInstanceOf(ClaimOutcome.Granted.class);
            ClaimOutcome.Granted granted = (ClaimOutcome.Granted) answer;
            assertThat(granted.claim().attempt()).isEqualTo(holder.attempt() + 1);
            return granted.steps().stream().map(step -> step.step().name()).toList();
        }
    }

    private void recordAndRelease() {
        Claim claim = Claims.granted(store, identity);
        record(claim, "charge");
        store.release(claim, Claims.RETENTION);
        assertThat(rows()).isEqualTo(1);
    }

    private void record(Claim claim, String name) {
        StepRecord step = new StepRecord(
                StepIdentity.of(name, null), StepState.DONE, Fingerprint.none(), claim.attempt(), Claims.OUTCOME);
        assertThat(store.recordStep(claim, step)).isEqualTo(Ownership.OWNED);
    }

    private int rows() {
        return database.jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_step", Integer.class);
    }
}
