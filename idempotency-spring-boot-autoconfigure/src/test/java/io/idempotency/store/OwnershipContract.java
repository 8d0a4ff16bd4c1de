package io.idempotency.store;

import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.Identity;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may write after a claim. */
interface OwnershipContract extends StoreFixture {

    @Test
    default void aStaleOwnerCannotComplete() {
        Stale stale = staleOwner();

        assertThat(store().complete(stale.claim(), OUTCOME, RETENTION)).isEqualTo(Ownership.LOST);

        assertHasChangedNothing(stale);
    }

    @Test
    default void aStaleOwnerCannotRelease() {
        Stale stale = staleOwner();

        assertThat(store().release(stale.claim(), RETENTION)).isEqualTo(Ownership.LOST);

        assertHasChangedNothing(stale);
    }

    @Test
    default void aStaleOwnerCannotHold() {
        Stale stale = staleOwner();

        assertThat(store().hold(stale.claim())).isEqualTo(Ownership.LOST);

        assertHasChangedNothing(stale);
    }

    @Test
    default void aStaleOwnerCannotRenew() {
        Identity identity = newIdentity();
        Claim stale = abandoned(identity);
        abandoned(identity);

        assertThat(renew(leasedAnew(stale))).isEqualTo(Renewal.LOST);

        assertThat(find(identity).remainingLease()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    default void aStaleOwnerCannotTouchWhatItsSuccessorRecorded() {
        Stale stale = staleOwner();
        store().complete(stale.successor(), OUTCOME, RETENTION);

        assertNothingIsOwnedBy(stale.claim());

        assertReplays(stale.claim().identity(), OUTCOME, 2);
    }

    @Test
    default void aStaleOwnerCannotTouchWhatItsSuccessorReleased() {
        Stale stale = staleOwner();
        store().release(stale.successor(), RETENTION);

        assertNothingIsOwnedBy(stale.claim());

        assertThat(granted(stale.claim().identity()).attempt()).isEqualTo(3);
    }

    @Test
    default void aStaleOwnerCannotTouchWhatItsSuccessorHeld() {
        Stale stale = staleOwner();
        store().hold(stale.successor());

        assertNothingIsOwnedBy(stale.claim());

        assertThat(state(stale.claim().identity())).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void nobodyOwnsARecordThatIsNotThere() {
        Identity identity = newIdentity();

        assertNothingIsOwnedBy(new Claim(identity, OwnerToken.random(), 1, LEASE));

        assertThat(store().find(identity)).isEmpty();
    }

    @Test
    default void anAttemptThatIsKnownIsNotEnoughToWrite() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        assertNothingIsOwnedBy(new Claim(identity, OwnerToken.random(), claim.attempt(), LEASE));

        assertThat(state(identity)).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    default void anOwnerThatNeverLearnedItsAttemptCanRelease() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        assertThat(store().release(new Claim(identity, claim.owner(), 0, LEASE), RETENTION))
                .isEqualTo(Ownership.OWNED);

        assertThat(granted(identity).attempt()).isEqualTo(2);
    }

    @Test
    default void completingAgainIsOwnedAndKeepsTheFirstOutcome() {
        Identity identity = newIdentity();
        Claim claim = completed(identity);

        assertThat(store().complete(claim, OTHER_OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);

        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void releasingAgainIsOwnedAndChangesNothing() {
        Identity identity = newIdentity();
        Claim claim = released(identity);

        assertThat(store().release(claim, RETENTION)).isEqualTo(Ownership.OWNED);

        assertThat(granted(identity).attempt()).isEqualTo(2);
    }

    @Test
    default void holdingAgainIsOwnedAndChangesNothing() {
        Identity identity = newIdentity();
        Claim claim = held(identity);

        assertThat(store().hold(claim)).isEqualTo(Ownership.OWNED);

        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void anOwnerThatCompletedCannotChangeItsMind() {
        Identity identity = newIdentity();
        Claim claim = completed(identity);

        assertThat(store().release(claim, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().hold(claim)).isEqualTo(Ownership.LOST);
        assertThat(renew(claim)).isEqualTo(Renewal.LOST);

        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void anOwnerThatReleasedCannotChangeItsMind() {
        Identity identity = newIdentity();
        Claim claim = released(identity);

        assertThat(store().complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().hold(claim)).isEqualTo(Ownership.LOST);
        assertThat(renew(claim)).isEqualTo(Renewal.LOST);

        assertThat(state(identity)).isEqualTo(RecordState.RETRYABLE);
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanRelease() {
        Identity identity = newIdentity();

        assertThat(store().release(abandoned(identity), RETENTION)).isEqualTo(Ownership.OWNED);

        assertThat(state(identity)).isEqualTo(RecordState.RETRYABLE);
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanHold() {
        Identity identity = newIdentity();

        assertThat(store().hold(abandoned(identity))).isEqualTo(Ownership.OWNED);

        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanRenew() {
        Identity identity = newIdentity();

        assertThat(renew(leasedAnew(abandoned(identity)))).isEqualTo(Renewal.RENEWED);

        assertThat(store().claim(request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    default void aRenewalStartsTheLeaseAnew() {
        Identity identity = newIdentity();
        Claim claim = abandoned(identity);

        renew(leasedAnew(claim));

        IdempotencyRecord record = find(identity);
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.remainingLease()).isBetween(LEASE.dividedBy(2), LEASE);
    }

    @Test
    default void aBatchOfRenewalsIsAnsweredClaimByClaim() {
        Claim running = granted(newIdentity());
        Stale stale = staleOwner();
        Claim held = held(newIdentity());
        Claim missing = new Claim(newIdentity(), OwnerToken.random(), 1, LEASE);

        Map<Claim, Renewal> answers = store().renew(List.of(running, stale.claim(), stale.successor(), held, missing));

        assertThat(answers)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        running,
                        Renewal.RENEWED,
                        stale.claim(),
                        Renewal.LOST,
                        stale.successor(),
                        Renewal.RENEWED,
                        held,
                        Renewal.LOST,
                        missing,
                        Renewal.LOST));
    }

    @Test
    default void aLargeBatchOfRenewalsIsAnsweredWhole() {
        List<Claim> claims =
                Stream.generate(() -> granted(newIdentity())).limit(100).toList();

        assertThat(store().renew(claims)).containsOnlyKeys(claims).doesNotContainValue(Renewal.LOST);
    }

    @Test
    default void anEmptyBatchOfRenewalsHasNoAnswers() {
        assertThat(store().renew(List.of())).isEmpty();
    }

    private Renewal renew(Claim claim) {
        return store().renew(List.of(claim)).get(claim);
    }

    private static Claim leasedAnew(Claim claim) {
        return new Claim(claim.identity(), claim.owner(), claim.attempt(), LEASE);
    }

    private Stale staleOwner() {
        Identity identity = newIdentity();
        return new Stale(abandoned(identity), granted(identity));
    }

    private void assertNothingIsOwnedBy(Claim claim) {
        assertThat(store().complete(claim, OTHER_OUTCOME, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().release(claim, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().hold(claim)).isEqualTo(Ownership.LOST);
        assertThat(renew(claim)).isEqualTo(Renewal.LOST);
    }

    private void assertHasChangedNothing(Stale stale) {
        Identity identity = stale.claim().identity();
        IdempotencyRecord record = find(identity);
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.attempt()).isEqualTo(2);
        assertThat(record.remainingLease()).isGreaterThan(LEASE.dividedBy(2));
        assertThat(store().complete(stale.successor(), OTHER_OUTCOME, RETENTION))
                .isEqualTo(Ownership.OWNED);
        assertReplays(identity, OTHER_OUTCOME, 2);
    }

    /** A claim that was taken over, and the claim that took it over. */
    record Stale(Claim claim, Claim successor) {}
}
