package io.idempotency.store;

import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is granted, and what everybody else is told. */
interface ClaimContract extends StoreFixture {

    @Test
    default void theFirstClaimIsGrantedAsTheFirstAttempt() {
        ClaimRequest request = request(newIdentity());

        ClaimOutcome.Granted grant = grant(request);

        assertThat(grant.claim()).isEqualTo(new Claim(request.identity(), request.owner(), 1, request.lease()));
        assertThat(grant.takeover()).isFalse();
    }

    @Test
    default void ofManyFirstClaimsOneIsGranted() {
        assertThatOneOfManyIsGranted(newIdentities());
    }

    @Test
    default void ofManyClaimsOnARetryableRecordOneIsGranted() {
        List<Identity> identities = newIdentities();
        identities.forEach(this::released);

        assertThatOneOfManyIsGranted(identities);

        assertThat(identities)
                .allSatisfy(identity -> assertThat(find(identity).attempt()).isEqualTo(2));
    }

    @Test
    default void ofManyClaimsOnAnExpiredOutcomeOneIsGranted() {
        List<Identity> identities = newIdentities();
        identities.forEach(identity -> store().complete(granted(identity), OUTCOME, Duration.ofMillis(1)));
        identities.forEach(this::awaitExpiry);

        assertThatOneOfManyIsGranted(identities);
    }

    @Test
    default void aRunningClaimIsInProgressWithItsRemainingLease() {
        Identity identity = newIdentity();
        granted(identity);

        assertThat(store().claim(request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.InProgress.class,
                        inProgress -> assertThat(inProgress.remainingLease())
                                .isPositive()
                                .isGreaterThan(LEASE.dividedBy(2))
                                .isLessThanOrEqualTo(LEASE));
    }

    @Test
    default void aRefusedClaimChangesNothing() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        store().claim(request(identity));
        store().claim(request(identity, ASKED_OTHERWISE));

        assertThat(find(identity).attempt()).isEqualTo(1);
        assertThat(store().complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
    }

    @Test
    default void aRetryableRecordIsGrantedAsTheNextAttempt() {
        Identity identity = newIdentity();
        released(identity);

        ClaimOutcome.Granted grant = grant(request(identity));

        assertThat(grant.claim().attempt()).isEqualTo(2);
        assertThat(grant.takeover()).isFalse();
    }

    @Test
    default void aCompletedOperationIsAnsweredWithItsOutcomeAndAttempt() {
        Identity identity = newIdentity();
        released(identity);
        completed(identity);

        assertReplays(identity, OUTCOME, 2);
        assertReplays(identity, OUTCOME, 2);
    }

    @Test
    default void aClaimSentAgainByItsOwnerIsTheSameGrantWithANewLease() {
        Identity identity = newIdentity();
        released(identity);
        ClaimRequest abandoned = StoreFixture.abandonedRequest(identity, OnAbandoned.RETRY);
        Claim first = abandoned(abandoned);

        Claim again = granted(
                new ClaimRequest(identity, ASKED, first.owner(), LEASE, abandoned.lifetime(), abandoned.onAbandoned()));

        assertThat(again.attempt()).isEqualTo(first.attempt()).isEqualTo(2);
        assertThat(find(identity).remainingLease()).isGreaterThan(LEASE.dividedBy(2));
        assertThat(store().claim(request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    default void aClaimSentAgainByItsOwnerIsGrantedBeforeFingerprintsAreCompared() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        ClaimOutcome.Granted again =
                grant(new ClaimRequest(identity, ASKED_OTHERWISE, claim.owner(), LEASE, LIFETIME, OnAbandoned.RETRY));

        assertThat(again.claim().attempt()).isEqualTo(1);
    }

    @Test
    default void aClaimSentAgainAfterItsOwnerCompletedIsAnsweredWithTheOutcome() {
        ClaimRequest request = request(newIdentity());
        store().complete(granted(request), OUTCOME, RETENTION);

        assertThat(store().claim(request)).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    default void anotherFingerprintIsAMismatchWhileInProgress() {
        Identity identity = newIdentity();
        granted(identity);

        assertMismatch(identity);
    }

    @Test
    default void anotherFingerprintIsAMismatchOnceTheLeaseIsOver() {
        Identity identity = newIdentity();
        abandoned(identity);

        assertMismatch(identity);
        assertThat(find(identity).attempt()).isEqualTo(1);
    }

    @Test
    default void anotherFingerprintIsAMismatchAfterATakeover() {
        Identity identity = newIdentity();
        abandoned(identity);
        granted(identity);

        assertMismatch(identity);
    }

    @Test
    default void anotherFingerprintIsAMismatchWhenCompleted() {
        Identity identity = newIdentity();
        completed(identity);

        assertMismatch(identity);
    }

    @Test
    default void anotherFingerprintIsAMismatchWhenInDoubt() {
        Identity identity = newIdentity();
        held(identity);

        assertMismatch(identity);
    }

    @Test
    default void noFingerprintIsAnotherFingerprintThanAny() {
        Identity identity = newIdentity();
        granted(identity);

        assertThat(store().claim(request(identity, Fingerprint.none()))).isInstanceOf(ClaimOutcome.Mismatch.class);
    }

    private void assertMismatch(Identity identity) {
        assertThat(store().claim(request(identity, ASKED_OTHERWISE))).isInstanceOf(ClaimOutcome.Mismatch.class);
    }

    @Test
    default void aRetryableRecordTakesTheNewFingerprint() {
        Identity identity = newIdentity();
        released(identity);

        granted(request(identity, ASKED_OTHERWISE));

        assertThat(store().claim(request(identity, ASKED))).isInstanceOf(ClaimOutcome.Mismatch.class);
        assertThat(store().claim(request(identity, ASKED_OTHERWISE))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    default void anExpiredOutcomeIsClaimedAnewWhateverItsFingerprintWas() {
        Identity identity = newIdentity();
        store().complete(granted(identity), OUTCOME, Duration.ofMillis(1));
        awaitExpiry(identity);

        ClaimOutcome.Granted grant = grant(request(identity, ASKED_OTHERWISE));

        assertThat(grant.takeover()).isFalse();
        assertThat(grant.claim().attempt()).isPositive();
        assertThat(state(identity)).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    default void anExpiredRetryableRecordIsForgotten() {
        Identity identity = newIdentity();
        store().release(granted(identity), Duration.ofMillis(1));

        awaitExpiry(identity);

        granted(identity);
    }

    @Test
    default void keysThatDifferOnlyByCaseOrBlanksStayApart() {
        String key = newIdentity().hex();

        for (String variant : List.of("k" + key, "K" + key, "k" + key + " ", " k" + key)) {
            assertThat(granted(new IdempotencyKey("operation", null, variant).identity("contract"))
                            .attempt())
                    .isEqualTo(1);
        }
    }

    @Test
    default void aLeaseHonoursMilliseconds() {
        Identity identity = newIdentity();
        Duration lease = Duration.ofMillis(300);
        long sentAt = System.nanoTime();

        granted(new ClaimRequest(identity, ASKED, request(identity).owner(), lease, LIFETIME, OnAbandoned.RETRY));

        assertThat(find(identity).remainingLease()).isLessThanOrEqualTo(lease);
        awaitEndOfLease(identity);
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThan(lease.minusMillis(10));
    }

    @Test
    default void findingTellsStateAttemptAndRemainingLease() {
        Identity identity = newIdentity();
        assertThat(store().find(identity)).isEmpty();

        Claim claim = granted(identity);
        IdempotencyRecord running = find(identity);
        assertThat(running.identity()).isEqualTo(identity);
        assertThat(running.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(running.attempt()).isEqualTo(1);
        assertThat(running.remainingLease()).isBetween(LEASE.dividedBy(2), LEASE);

        store().complete(claim, OUTCOME, RETENTION);
        IdempotencyRecord ended = find(identity);
        assertThat(ended.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(ended.remainingLease()).isLessThanOrEqualTo(Duration.ZERO);
    }
}
