package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which records are deleted, and how they are found. */
class JdbcSweepTests extends InEveryDatabase {

    private static final int MANY = 5_000;

    @Test
    void whatIsNotExpiredStays() {
        Identity retryable = Claims.newIdentity();
        Identity abandoned = Claims.newIdentity();
        Claims.complete(store, identity);
        store.release(Claims.granted(store, retryable), Claims.RETENTION);
        Claims.granted(store, Claims.request(abandoned, Duration.ofMillis(1)));

        assertThat(store.sweep(100)).isZero();

        assertThat(Stream.of(identity, retryable, abandoned).map(store::find)).allMatch(Optional::isPresent);
    }

    @Test
    void anExpiredRecordWithOrWithoutAnOutcomeIsDeleted() {
        Claims.complete(store, identity);
        store.release(Claims.granted(store, Claims.newIdentity()), Claims.RETENTION);
        database.expireRecords();

        assertThat(store.sweep(100)).isEqualTo(2);

        assertThat(database.records()).isZero();
    }

    @Test
    void aRunningClaimStaysEvenIfItsRecordIsExpired() {
        Claim running = Claims.granted(store, identity);
        database.expireRecords();

        assertThat(store.sweep(100)).isZero();

        assertThat(store.renew(List.of(running))).containsEntry(running, Renewal.RENEWED);
    }

    @Test
    void anAbandonedClaimWhoseRecordIsExpiredIsDeleted() {
        Claims.granted(store, identity);
        Claims.granted(store, Claims.newIdentity());
        database.expireRecords();
        database.jdbc().update("UPDATE idempotency_record SET lease_until = expires_at");
        Claims.granted(store, Claims.newIdentity());
        database.jdbc()
                .update("UPDATE idempotency_record SET lease_until = NULL WHERE id = ?", (Object) identity.digest());

        assertThat(store.sweep(100)).isEqualTo(2);

        assertThat(database.records()).isEqualTo(1);
    }

    @Test
    void whatIsInDoubtStaysForEver() {
        store.hold(Claims.granted(store, identity));
        Claims.granted(store, abandonedAndToBeHeld());
        assertThat(store.sweep(100)).isZero();

        // Nobody sets this; if somebody did, it would not be the sweeper's to decide.
        database.jdbc().update("DELETE FROM idempotency_record WHERE state = 1");
        database.expireRecords();

        assertThat(store.sweep(100)).isZero();
        assertThat(database.records()).isEqualTo(1);
    }

    @Test
    void aBatchHasItsLimit() {
        database.insertExpired(6);

        assertThat(store.sweep(4)).isEqualTo(4);
        assertThat(store.sweep(4)).isEqualTo(2);
        assertThat(store.sweep(4)).isZero();
    }

    @Test
    void theIndexFindsTheFewThatAreExpired() {
        database.insertExpired(MANY);
        database.jdbc().update("UPDATE idempotency_record SET expires_at = " + database.time("2199-01-01 00:00:00"));
        database.insertExpired(10);
        database.analyze();
        RecordSql sql = new RecordSql(database.dialect());
        String sweep = sql.sweep()
                .orElseGet(sql::findForgotten)
                .replace("{record}", "idempotency_record")
                .replace(":limit", "1000")
                .replace(":now", "1");

        assertThat(database.jdbc().queryForList("EXPLAIN " + sweep).toString())
                .containsIgnoringCase("idempotency_record_expires_at");
    }

    private static ClaimRequest abandonedAndToBeHeld() {
        ClaimRequest request = Claims.request(Claims.newIdentity(), Duration.ofMillis(1));
        return new ClaimRequest(
                request.identity(),
                request.fingerprint(),
                request.owner(),
                request.lease(),
                request.lifetime(),
                OnAbandoned.HOLD);
    }
}
