package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows and errors that this library did not expect. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcIntegrityTests {

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private JdbcIdempotencyStore store;

    private final Identity identity = Claims.newIdentity();

    @BeforeEach
    void open() {
        database = product.open();
        store = database.openStore();
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

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
