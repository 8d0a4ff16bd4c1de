package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rows and errors that this library did not expect. */
class JdbcIntegrityTests extends InEveryDatabase {

    @Test
    void ofAHundredFirstClaimsOneIsGrantedAndNoneFails() throws Exception {
        int callers = 100;
        CyclicBarrier start = new CyclicBarrier(callers);
        ExecutorService executor = Executors.newFixedThreadPool(callers);
        try {
            List<Future<ClaimOutcome>> answers = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                answers.add(executor.submit(() -> {
                    start.await(20, TimeUnit.SECONDS);
                    return store.claim(Claims.request(identity));
                }));
            }
            int granted = 0;
            for (Future<ClaimOutcome> answer : answers) {
                granted += answer.get(60, TimeUnit.SECONDS) instanceof ClaimOutcome.Granted ? 1 : 0;
            }
            assertThat(granted).isEqualTo(1);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void fiveHundredClaimsAreRenewedAtOnceInBatchesThatMeet() throws Exception {
        List<Claim> claims = Stream.generate(() -> Claims.granted(store, Claims.newIdentity()))
                .limit(500)
                .toList();
        int nodes = 5;
        ExecutorService executor = Executors.newFixedThreadPool(nodes);
        try {
            List<Future<Map<Claim, Renewal>>> answers = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                List<Claim> batch = claims.subList(100 * node, 100 * (node + 1));
                answers.add(executor.submit(() -> store.renew(batch)));
            }
            for (Future<Map<Claim, Renewal>> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS).values())
                        .hasSize(100)
                        .containsOnly(Renewal.RENEWED);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void anotherIntegrityErrorIsAFailureAndNotAnExistingRecord() {
        database.jdbc()
                .execute("ALTER TABLE idempotency_record ADD CONSTRAINT forbidden CHECK (operation <> 'operation')");

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.claim(Claims.request(identity)));
    }

    @Test
    void aUniqueViolationOfSomethingElseIsAFailureAndNotAnExistingRecord() {
        database.jdbc().execute("CREATE UNIQUE INDEX only_once ON idempotency_record (operation)");
        Claims.granted(store, Claims.newIdentity());

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.claim(Claims.request(identity)));
    }

    @Test
    void aRunningClaimWithoutALeaseIsLockedUntilItExpires() {
        Claims.granted(store, identity);
        database.jdbc().update("UPDATE idempotency_record SET lease_until = NULL");

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);

        database.expireRecords();
        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void aStateOfANewerVersionIsAFailureAndNothingRuns() {
        Claims.granted(store, identity);
        database.jdbc().update("UPDATE idempotency_record SET state = 9");

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.claim(Claims.request(identity)))
                .withMessageContaining("another version");
        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> store.find(identity));
    }

    @Test
    void aFingerprintOfANewerVersionIsAFailureAndNoMismatch() {
        Claims.complete(store, identity);
        byte[] newer = Fingerprint.of("asked").bytes();
        newer[0] = 9;
        database.jdbc().update("UPDATE idempotency_record SET fingerprint = ?", (Object) newer);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.claim(Claims.request(identity)))
                .withMessageContaining("another version");
    }

    @Test
    void aRunningClaimWithoutAnOwnerIsLockedUntilItsLeaseIsOver() {
        Claim claim = Claims.granted(store, identity);
        database.jdbc().update("UPDATE idempotency_record SET owner = NULL");

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
        assertThat(store.complete(claim, Claims.OUTCOME, Claims.RETENTION)).isEqualTo(Ownership.LOST);

        database.jdbc().update("UPDATE idempotency_record SET lease_until = " + database.time("2001-02-03 04:05:06"));
        assertThat(Claims.granted(store, identity).attempt()).isEqualTo(2);
    }

    @Test
    void anOutcomeThatCannotBeReadIsCompletedAndNothingRuns() {
        Claims.complete(store, identity);
        database.jdbc().update("UPDATE idempotency_record SET outcome = ?", (Object) new byte[] {9, 9, 9, 9});

        assertThat(store.claim(Claims.request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Completed.class,
                        completed -> assertThat(completed.outcome().kind()).isEqualTo(Outcome.Kind.UNREADABLE));
    }

    @Test
    void aRetryableRecordWithStepsKeepsItsFingerprint() {
        store.release(Claims.granted(store, identity), Claims.RETENTION);
        database.jdbc().update("UPDATE idempotency_record SET bound = TRUE");
        ClaimRequest same = Claims.request(identity);
        ClaimRequest other = new ClaimRequest(
                identity, Fingerprint.of("other"), same.owner(), same.lease(), same.lifetime(), same.onAbandoned());

        assertThat(store.claim(other)).isInstanceOf(ClaimOutcome.Mismatch.class);
        assertThat(store.claim(same)).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void aClaimSentAgainAfterItsRecordExpiredIsANewOneThatLasts() {
        ClaimRequest request = Claims.request(identity);
        Claims.granted(store, request);
        database.expireRecords();

        assertThat(Claims.granted(store, request).attempt()).isEqualTo(2);

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    void anExpiredRecordIsClaimedAsANewGenerationWithoutSteps() {
        Claims.complete(store, identity);
        database.jdbc().update("UPDATE idempotency_record SET bound = TRUE");
        database.expireRecords();

        assertThat(Claims.granted(store, identity).attempt()).isEqualTo(2);

        assertThat(database.jdbc().queryForMap("SELECT generation, bound, outcome FROM idempotency_record"))
                .containsEntry("generation", 2L)
                .containsEntry("bound", false)
                .containsEntry("outcome", null);
    }

    @Test
    void theNameOfTheOperationIsKeptForPeopleAndCutBetweenCharacters() {
        String face = "\uD83D\uDE00";
        Identity named = Identity.of("test", "x".repeat(254) + face + "rest", null, "key");

        Claims.granted(store, named);

        assertThat(database.jdbc().queryForObject("SELECT operation FROM idempotency_record", String.class))
                .isEqualTo("x".repeat(254));
        assertThat(store.find(named))
                .hasValueSatisfying(record -> assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS));
    }

    @Test
    void longDurationsAreNotCutOff() {
        Duration century = Duration.ofDays(36_500);
        ClaimRequest request = Claims.request(identity, century);

        Claims.granted(
                store,
                new ClaimRequest(
                        identity,
                        request.fingerprint(),
                        request.owner(),
                        century,
                        century.multipliedBy(3),
                        request.onAbandoned()));

        assertThat(store.find(identity).orElseThrow().remainingLease()).isBetween(century.minusMinutes(1), century);
    }
}
