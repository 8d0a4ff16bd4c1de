package io.idempotency.store;

import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Resolution;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Records that wait for an operator. */
interface DoubtContract extends StoreFixture {

    Resolution RETRY = new Resolution.Retry(RETENTION);

    Resolution COMPLETE = new Resolution.Complete(OTHER_OUTCOME, RETENTION);

    @Test
    default void aHeldRecordIsInDoubtForEverybody() {
        Identity identity = newIdentity();
        released(identity);
        held(identity);

        assertThat(store().claim(request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.InDoubt.class,
                        doubt -> assertThat(doubt.attempt()).isEqualTo(2));
    }

    @Test
    default void aClaimSentAgainByTheOwnerThatHeldItIsInDoubt() {
        ClaimRequest request = request(newIdentity());
        store().hold(granted(request));

        assertThat(store().claim(request)).isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    default void aDoubtNeverExpires() {
        Duration lifetime = Duration.ofMillis(200);
        Identity identity = newIdentity();
        store().hold(granted(
                new ClaimRequest(identity, ASKED, OwnerToken.random(), LEASE, lifetime, OnAbandoned.RETRY)));

        awaitPassing(lifetime);

        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void theOwnerThatHeldCanComplete() {
        Identity identity = newIdentity();

        assertThat(store().complete(held(identity), OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);

        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void theOwnerThatHeldCanRelease() {
        Identity identity = newIdentity();

        assertThat(store().release(held(identity), RETENTION)).isEqualTo(Ownership.OWNED);

        assertThat(granted(identity).attempt()).isEqualTo(2);
    }

    @Test
    default void anOutcomeThatEndsADoubtExpiresAgain() {
        Identity identity = newIdentity();

        store().complete(held(identity), OUTCOME, Duration.ofMillis(1));

        awaitExpiry(identity);
    }

    @Test
    default void aDoubtThatIsResolvedForARetryIsGrantedAsTheNextAttempt() {
        Identity identity = newIdentity();
        held(identity);

        assertThat(store().resolve(identity, 1, RETRY)).isTrue();

        assertThat(state(identity)).isEqualTo(RecordState.RETRYABLE);
        ClaimOutcome.Granted grant = grant(request(identity, ASKED_OTHERWISE));
        assertThat(grant.claim().attempt()).isEqualTo(2);
        assertThat(grant.takeover()).isFalse();
    }

    @Test
    default void aDoubtThatIsResolvedAsCompletedIsReplayed() {
        Identity identity = newIdentity();
        held(identity);

        assertThat(store().resolve(identity, 1, COMPLETE)).isTrue();

        assertReplays(identity, OTHER_OUTCOME, 1);
    }

    @Test
    default void aDoubtAboutAnAbandonedClaimIsResolvedToo() {
        Identity identity = newIdentity();
        abandoned(StoreFixture.abandonedRequest(identity, OnAbandoned.HOLD));
        store().claim(request(identity));

        assertThat(store().resolve(identity, 1, RETRY)).isTrue();

        assertThat(granted(identity).attempt()).isEqualTo(2);
    }

    @Test
    default void aResolutionExpiresAfterItsRetention() {
        Identity retried = newIdentity();
        held(retried);
        Identity completed = newIdentity();
        held(completed);

        store().resolve(retried, 1, new Resolution.Retry(Duration.ofMillis(1)));
        store().resolve(completed, 1, new Resolution.Complete(OUTCOME, Duration.ofMillis(1)));

        awaitExpiry(retried);
        awaitExpiry(completed);
    }

    @Test
    default void aResolutionOfAnotherAttemptChangesNothing() {
        Identity identity = newIdentity();
        held(identity);

        assertThat(store().resolve(identity, 2, RETRY)).isFalse();
        assertThat(store().resolve(identity, 2, COMPLETE)).isFalse();

        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void onlyADoubtCanBeResolved() {
        Identity missing = newIdentity();
        Identity running = newIdentity();
        Claim claim = granted(running);
        Identity completed = newIdentity();
        completed(completed);
        Identity released = newIdentity();
        released(released);

        for (Identity identity : new Identity[] {missing, running, completed, released}) {
            assertThat(store().resolve(identity, 1, RETRY)).isFalse();
            assertThat(store().resolve(identity, 1, COMPLETE)).isFalse();
        }

        assertThat(store().find(missing)).isEmpty();
        assertThat(store().complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
        assertReplays(completed, OUTCOME, 1);
        assertThat(state(released)).isEqualTo(RecordState.RETRYABLE);
    }

    @Test
    default void ofManyResolutionsOneCounts() {
        Identity identity = newIdentity();
        held(identity);

        assertThat(StoreFixture.together(() -> store().resolve(identity, 1, COMPLETE)))
                .containsOnlyOnce(true);
    }

    @Test
    default void theOwnerThatHeldHasNoSayAfterARetryWasResolved() {
        Identity identity = newIdentity();
        Claim holder = held(identity);
        store().resolve(identity, 1, RETRY);

        assertThat(store().complete(holder, OUTCOME, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().release(holder, RETENTION)).isEqualTo(Ownership.LOST);
        assertThat(store().hold(holder)).isEqualTo(Ownership.LOST);

        assertThat(state(identity)).isEqualTo(RecordState.RETRYABLE);
    }

    @Test
    default void theOwnerThatHeldHasNoSayAfterAnOutcomeWasResolved() {
        Identity identity = newIdentity();
        Claim holder = held(identity);
        store().resolve(identity, 1, COMPLETE);

        assertThat(store().complete(holder, OUTCOME, RETENTION)).isEqualTo(Ownership.LOST);

        assertReplays(identity, OTHER_OUTCOME, 1);
    }
}
