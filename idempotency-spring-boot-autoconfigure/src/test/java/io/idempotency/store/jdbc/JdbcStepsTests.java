package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Claim;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Ownership;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rows of steps. */
class JdbcStepsTests extends InEveryDatabase {

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

    /** A JVM that dies between the two leaves a record in doubt, which is resolved again. */
    @Test
    void areForgottenByAnOperatorBeforeTheirRecordIsFree() {
        Claim claim = Claims.granted(store, identity);
        store.recordStep(
                claim,
                new StepRecord(
                        StepIdentity.of("charge", null), StepState.RUNNING, Fingerprint.none(), claim.attempt(), null));
        store.hold(claim);
        StatementLog log = new StatementLog();
        JdbcStoreSettings sharing = new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(30));

        try (JdbcIdempotencyStore watched = database.openStore(log.watching(database.application()), sharing)) {
            log.clear();
            watched.resolve(identity, claim.attempt(), new Resolution.Retry(Claims.RETENTION));
        }

        assertThat(log.executed())
                .extracting(sql -> sql.substring(0, sql.indexOf(' ')))
                .containsExactly("DELETE", "UPDATE");
        assertThat(rows()).isZero();
    }

    private void recordAndRelease() {
        Claim claim = Claims.granted(store, identity);
        StepRecord step = new StepRecord(
                StepIdentity.of("charge", null), StepState.DONE, Fingerprint.none(), claim.attempt(), Claims.OUTCOME);
        assertThat(store.recordStep(claim, step)).isEqualTo(Ownership.OWNED);
        store.release(claim, Claims.RETENTION);
        assertThat(rows()).isEqualTo(1);
    }

    private int rows() {
        return database.jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_step", Integer.class);
    }
}
