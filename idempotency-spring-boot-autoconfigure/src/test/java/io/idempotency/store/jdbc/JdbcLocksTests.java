package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that another transaction has locked. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#productsThatSkipLockedRecords")
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcLocksTests {

    /** Far less than any database waits for a lock by itself, far more than an answer takes. */
    private static final Duration AT_ONCE = Duration.ofMillis(900);

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private JdbcIdempotencyStore store;

    private final Identity identity = Claims.newIdentity();

    @BeforeEach
    void open() {
        database = product.open();
        store = database.openStore(database.application(), new JdbcStoreSettings("idempotency_", 4, TIMEOUT));
        Claims.complete(store, Claims.newIdentity());
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Test
    void anAbandonedRecordThatIsLockedIsInProgressAtOnce() {
        Claims.granted(store, abandonedRequest(OnAbandoned.RETRY));
        awaitEndOfLease();

        assertInProgressAtOnceWhileLocked();
    }

    @Test
    void anAbandonedRecordThatIsToBeHeldAndIsLockedIsInProgressAtOnce() {
        Claims.granted(store, abandonedRequest(OnAbandoned.HOLD));
        awaitEndOfLease();

        assertInProgressAtOnceWhileLocked();
    }

    @Test
    void aRetryableRecordThatIsLockedIsInProgressAtOnce() {
        store.release(Claims.granted(store, identity), Claims.RETENTION);

        assertInProgressAtOnceWhileLocked();
    }

    @Test
    void aClaimSentAgainWhileItsRecordIsLockedIsInProgressAtOnce() {
        ClaimRequest request = Claims.request(identity);
        Claims.granted(store, request);

        whileLocked(() -> assertInProgressAtOnce(request));
    }

    @Test
    void aLockedRecordIsReplayedAtOnce() {
        Claims.complete(store, identity);

        whileLocked(() -> {
            long start = System.nanoTime();
            assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        });
    }

    @Test
    void aLockedRecordIsBusyAndTheOthersAreRenewedAtOnce() {
        Claim locked = Claims.granted(store, identity);
        Claim before = Claims.granted(store, Claims.newIdentity());
        Claim after = Claims.granted(store, Claims.newIdentity());

        whileLocked(() -> {
            long start = System.nanoTime();
            assertThat(store.renew(List.of(before, locked, after)))
                    .containsEntry(locked, Renewal.BUSY)
                    .containsEntry(before, Renewal.RENEWED)
                    .containsEntry(after, Renewal.RENEWED);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        });

        assertThat(store.renew(List.of(locked))).containsEntry(locked, Renewal.RENEWED);
    }

    @Test
    void aCompletionWaitsForALockButNotForEver() {
        Claim claim = Claims.granted(store, identity);

        whileLocked(() -> assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> store.complete(claim, Claims.OUTCOME, Claims.RETENTION))
                .withMessageContaining("complete"));

        assertThat(store.complete(claim, Claims.OUTCOME, Claims.RETENTION)).isEqualTo(Ownership.OWNED);
    }

    private void assertInProgressAtOnceWhileLocked() {
        whileLocked(() -> assertInProgressAtOnce(Claims.request(identity)));
        assertThat(store.claim(Claims.request(identity))).isNotInstanceOf(ClaimOutcome.InProgress.class);
    }

    private void assertInProgressAtOnce(ClaimRequest request) {
        long start = System.nanoTime();
        assertThat(store.claim(request))
                .isInstanceOfSatisfying(
                        ClaimOutcome.InProgress.class,
                        inProgress -> assertThat(inProgress.remainingLease()).isPositive());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    }

    private void whileLocked(Runnable test) {
        database.transactions().executeWithoutResult(status -> {
            assertThat(database.jdbc()
                            .queryForList(
                                    "SELECT state FROM idempotency_record WHERE id = ? FOR UPDATE",
                                    Integer.class,
                                    (Object) identity.digest()))
                    .hasSize(1);
            test.run();
        });
    }

    private ClaimRequest abandonedRequest(OnAbandoned onAbandoned) {
        return new ClaimRequest(
                identity,
                Fingerprint.of("asked"),
                OwnerToken.random(),
                Duration.ofMillis(1),
                Claims.RETENTION,
                onAbandoned);
    }

    private void awaitEndOfLease() {
        await().until(() -> store.find(identity).orElseThrow().remainingLease().compareTo(Duration.ZERO) <= 0);
    }
}
