package io.idempotency.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryIdempotencyStoreLimitTests {

    private static final int MAX_RECORDS = 3;

    private static final int MANY = 500_000;

    private static final Duration RETENTION = Duration.ofMinutes(1);

    private static final Duration LIFETIME = Duration.ofHours(1);

    private final AtomicLong millis = new AtomicLong();

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(MAX_RECORDS, millis::get);

    @Test
    void aFullStoreRefusesAnotherIdentityAndNamesTheProperty() {
        fillWithOutcomes();

        assertThatThrownBy(() -> store.claim(request("one more")))
                .isInstanceOf(IdempotencyStoreException.class)
                .hasMessageContaining("idempotency.memory.max-records");
    }

    @Test
    void aFullStoreDropsNoOutcome() {
        fillWithOutcomes();

        assertThatThrownBy(() -> store.claim(request("one more"))).isInstanceOf(IdempotencyStoreException.class);

        for (int key = 0; key < MAX_RECORDS; key++) {
            assertThat(store.claim(request("key " + key))).isInstanceOf(ClaimOutcome.Completed.class);
        }
    }

    @Test
    void aFullStoreStillServesItsOwners() {
        Claim first = granted("first");
        granted("second");
        granted("third");

        assertThat(store.complete(first, Outcome.tombstone("ended"), RETENTION)).isEqualTo(Ownership.OWNED);
    }

    @Test
    void expiredRecordsMakeRoomWithoutBeingRead() {
        fillWithOutcomes();
        millis.addAndGet(RETENTION.toMillis());

        granted("one more");

        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void aRunningClaimIsNotDroppedBeforeItsLifetime() {
        Claim running = granted("running");
        millis.addAndGet(LIFETIME.toMillis() - 1);

        granted("another");

        assertThat(store.complete(running, Outcome.tombstone("ended"), RETENTION))
                .isEqualTo(Ownership.OWNED);
    }

    @Test
    void abandonedClaimsAreDroppedAtTheirLifetimeAndThoseThatRunOnAreNot() {
        granted("abandoned");
        millis.addAndGet(1);
        Claim running = granted("running");
        store.complete(granted("ended"), Outcome.tombstone("ended"), LIFETIME.multipliedBy(2));
        millis.addAndGet(LIFETIME.toMillis() - 1);

        assertThat(granted("one more").attempt()).isEqualTo(1);

        assertThat(store.size()).isEqualTo(MAX_RECORDS);
        assertThat(store.complete(running, Outcome.tombstone("ended"), RETENTION))
                .isEqualTo(Ownership.OWNED);
        assertThat(store.claim(request("ended"))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    void abandonedClaimsAreDroppedASecondAfterTheirLifetimeThoughThereIsRoom() {
        granted("abandoned");
        millis.addAndGet(LIFETIME.toMillis() + 1_000);

        granted("one more");

        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void aRecordThatExpiresWhenItsClaimWouldHaveIsForgotten() {
        store.complete(granted("ended"), Outcome.tombstone("ended"), LIFETIME);
        granted("running");
        millis.addAndGet(LIFETIME.toMillis() - 1);
        granted("another");
        millis.addAndGet(2_000);

        granted("one more");

        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void aRetryIsForgottenAtTheExpiryOfWhatItEndedAs() {
        store.release(granted("key"), RETENTION);
        store.complete(granted("key"), Outcome.tombstone("ended"), RETENTION.multipliedBy(2));
        millis.addAndGet(RETENTION.toMillis() + 1_000);

        granted("another");

        assertThat(store.claim(request("key"))).isInstanceOf(ClaimOutcome.Completed.class);
        millis.addAndGet(RETENTION.toMillis());
        granted("one more");
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void aDoubtIsNeverDropped() {
        store.hold(granted("in doubt"));
        millis.addAndGet(Duration.ofDays(3650).toMillis());

        granted("another");

        assertThat(store.claim(request("in doubt"))).isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    void aRecordIsForgottenAtItsNewestExpiry() {
        Claim claim = granted("key");
        store.complete(claim, Outcome.tombstone("ended"), LIFETIME.multipliedBy(3));
        millis.addAndGet(LIFETIME.multipliedBy(2).toMillis());

        granted("another");

        assertThat(store.claim(request("key"))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    void recordsThatExpireTogetherAreForgottenAlsoAfterTheOnlyOneOfThemWasTriedAgain() {
        store.release(granted("first"), RETENTION);
        Claim again = granted("first");
        store.complete(granted("second"), Outcome.tombstone("ended"), RETENTION);
        store.complete(again, Outcome.tombstone("ended"), RETENTION);
        millis.addAndGet(RETENTION.toMillis() + 1_000);

        granted("third");

        assertThat(store.size()).isEqualTo(1);
    }

    /** As on a thread that was stopped between reading the time and writing. */
    @Test
    void aRecordThatEndsByAnEarlierTimeThanOthersWereForgottenAtIsForgottenToo() {
        store.complete(granted("first"), Outcome.tombstone("ended"), RETENTION);
        millis.addAndGet(RETENTION.toMillis() + 1_000);
        Claim late = granted("second");
        millis.addAndGet(-RETENTION.toMillis() - 1_000);
        store.complete(late, Outcome.tombstone("ended"), RETENTION);
        millis.addAndGet(RETENTION.toMillis() + 1_000);

        granted("third");

        assertThat(store.size()).isEqualTo(1);
    }

    /** On the clock of the machine: most of them expire while others are claimed, on other threads too. */
    @Test
    void manyShortLivedRecordsNeedLittleRoomAndLeaveNothingBehind() {
        InMemoryIdempotencyStore shortLived = new InMemoryIdempotencyStore(100_000);
        IntStream.range(0, MANY).parallel().forEach(key -> {
            ClaimOutcome.Granted grant = (ClaimOutcome.Granted) shortLived.claim(request("key " + key));
            shortLived.complete(grant.claim(), Outcome.tombstone("ended"), Duration.ofMillis(1));
        });

        await().until(() -> {
            ClaimOutcome.Granted grant = (ClaimOutcome.Granted) shortLived.claim(request("one more"));
            shortLived.release(grant.claim(), RETENTION);
            return shortLived.size() == 1;
        });
    }

    /** On the clock of the machine: most of them expire while others are claimed, on other threads too. */
    @Test
    void manyAbandonedClaimsNeedLittleRoomAndLeaveNothingBehind() {
        InMemoryIdempotencyStore abandoned = new InMemoryIdempotencyStore(100_000);
        IntStream.range(0, MANY)
                .parallel()
                .forEach(key -> abandoned.claim(request("key " + key, Duration.ofMillis(1))));

        await().until(() -> {
            ClaimOutcome.Granted grant = (ClaimOutcome.Granted) abandoned.claim(request("one more"));
            abandoned.release(grant.claim(), RETENTION);
            return abandoned.size() == 1;
        });
    }

    /** Without expiry or eviction in between: the limit is a limit, whatever the records are worth. */
    @Test
    void runningClaimsAndDoubtsFillTheStoreLikeOutcomes() {
        granted("running");
        store.hold(granted("in doubt"));
        store.release(granted("released"), RETENTION);

        assertThatThrownBy(() -> store.claim(request("one more")))
                .isInstanceOf(IdempotencyStoreException.class)
                .hasMessageContaining("idempotency.memory.max-records");

        assertThat(store.find(identity("running"))).isPresent();
        assertThat(store.find(identity("in doubt"))).isPresent();
        assertThat(store.find(identity("released"))).isPresent();
    }

    @Test
    void aFullStoreGrantsTheRetryOfWhatItHolds() {
        granted("running");
        granted("another");
        store.release(granted("released"), RETENTION);

        assertThat(granted("released").attempt()).isEqualTo(2);
    }

    @Test
    void manyCallersTogetherDoNotPassTheLimit() {
        long granted = IntStream.range(0, 64)
                .parallel()
                .filter(key -> {
                    try {
                        return store.claim(request("key " + key)) instanceof ClaimOutcome.Granted;
                    } catch (IdempotencyStoreException full) {
                        return false;
                    }
                })
                .count();

        assertThat(granted).isEqualTo(MAX_RECORDS);
        assertThat(store.size()).isEqualTo(MAX_RECORDS);
    }

    @Test
    void roomThatARefusedClaimAskedForIsNotLost() {
        fillWithOutcomes();
        for (int key = 0; key < 10; key++) {
            ClaimRequest request = request("refused " + key);
            assertThatThrownBy(() -> store.claim(request)).isInstanceOf(IdempotencyStoreException.class);
        }
        millis.addAndGet(RETENTION.toMillis());

        for (int key = 0; key < MAX_RECORDS; key++) {
            granted("new " + key);
        }
    }

    @Test
    void aLimitBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InMemoryIdempotencyStore(0))
                .withMessageContaining("idempotency.memory.max-records");
    }

    private void fillWithOutcomes() {
        for (int key = 0; key < MAX_RECORDS; key++) {
            store.complete(granted("key " + key), Outcome.tombstone("ended"), RETENTION);
        }
    }

    private Claim granted(String key) {
        return ((ClaimOutcome.Granted) store.claim(request(key))).claim();
    }

    private static ClaimRequest request(String key) {
        return request(key, LIFETIME);
    }

    private static ClaimRequest request(String key, Duration lifetime) {
        return new ClaimRequest(
                identity(key),
                Fingerprint.none(),
                OwnerToken.random(),
                Duration.ofSeconds(30),
                lifetime,
                OnAbandoned.RETRY);
    }

    private static Identity identity(String key) {
        return Identity.of("limit", "operation", null, key);
    }
}
