package io.idempotency.store;

import static io.idempotency.store.StoreFixture.abandonedRequest;
import static io.idempotency.store.StoreFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What becomes of a claim whose lease is over. */
interface AbandonmentContract extends StoreFixture {

    /** Long enough to claim twice, short enough to wait for. */
    Duration SHORT_LIFETIME = Duration.ofMillis(200);

    @Test
    default void anAbandonedClaimIsTakenOverAsTheNextAttempt() {
        Identity identity = newIdentity();
        abandoned(identity);

        ClaimOutcome.Granted takeover = grant(request(identity));

        assertThat(takeover.takeover()).isTrue();
        assertThat(takeover.claim().attempt()).isEqualTo(2);
        assertThat(store().claim(request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    default void anAbandonedClaimIsTakenOverByOneOfMany() {
        List<Identity> identities = newIdentities();
        identities.forEach(this::abandoned);

        assertThatOneOfManyIsGranted(identities);

        assertThat(identities)
                .allSatisfy(identity -> assertThat(find(identity).attempt()).isEqualTo(2));
    }

    @Test
    default void aLateCompletionAndATakeoverNeverBothCount() {
        for (Identity identity : newIdentities()) {
            Claim late = abandoned(identity);
            Callable<Boolean> completion = () -> store().complete(late, OUTCOME, RETENTION) == Ownership.OWNED;
            Callable<Boolean> takeover = () -> store().claim(request(identity)) instanceof ClaimOutcome.Granted;

            assertThat(StoreFixture.together(List.of(completion, takeover, takeover)))
                    .containsOnlyOnce(true);
        }
    }

    @Test
    default void aRunningClaimIsForgottenAfterItsLifetime() {
        Identity identity = newIdentity();
        granted(abandonedRequest(identity, OnAbandoned.RETRY, SHORT_LIFETIME));

        awaitExpiry(identity);

        assertThat(grant(request(identity, ASKED_OTHERWISE)).takeover()).isFalse();
    }

    @Test
    default void anAbandonedClaimIsInDoubtWhereItsHolderAskedForIt() {
        Identity identity = newIdentity();
        abandoned(abandonedRequest(identity, OnAbandoned.HOLD));

        assertThat(store().claim(request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.InDoubt.class,
                        doubt -> assertThat(doubt.attempt()).isEqualTo(1));
        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    /** No claim waits for a locked record, so a caller that meets the change to a doubt may still be told "in progress". */
    @Test
    default void anAbandonedClaimIsGrantedToNoneOfManyWhereItsHolderAskedForADoubt() {
        List<Identity> identities = newIdentities();
        identities.forEach(identity -> abandoned(abandonedRequest(identity, OnAbandoned.HOLD)));

        assertThat(claimTogether(identities))
                .allSatisfy((identity, answers) -> assertThat(answers)
                        .hasSize(CALLERS)
                        .hasAtLeastOneElementOfType(ClaimOutcome.InDoubt.class)
                        .hasOnlyElementsOfTypes(ClaimOutcome.InDoubt.class, ClaimOutcome.InProgress.class));
    }

    @Test
    default void whatTheClaimerWantsDoesNotDecideAboutAnAbandonedClaim() {
        Identity identity = newIdentity();
        abandoned(abandonedRequest(identity, OnAbandoned.RETRY));

        Claim takenOver = abandoned(abandonedRequest(identity, OnAbandoned.HOLD));

        assertThat(takenOver.attempt()).isEqualTo(2);
        assertThat(store().claim(request(identity)))
                .as("the newest holder asked for a doubt")
                .isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    default void theWishOfAnEarlierHolderDoesNotOutliveItsAttempt() {
        Identity identity = newIdentity();
        store().release(granted(abandonedRequest(identity, OnAbandoned.HOLD)), RETENTION);
        abandoned(abandonedRequest(identity, OnAbandoned.RETRY));

        assertThat(grant(request(identity)).takeover()).isTrue();
    }

    @Test
    default void aClaimThatIsToBeHeldIsNotForgottenAfterItsLifetime() {
        Identity identity = newIdentity();
        granted(abandonedRequest(identity, OnAbandoned.HOLD, SHORT_LIFETIME));

        awaitPassing(SHORT_LIFETIME);

        assertThat(store().claim(request(identity))).isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    default void aTakeoverByAHolderThatIsToBeHeldIsNotForgottenEither() {
        Identity identity = newIdentity();
        abandoned(abandonedRequest(identity, OnAbandoned.RETRY));
        granted(abandonedRequest(identity, OnAbandoned.HOLD, SHORT_LIFETIME));

        awaitPassing(SHORT_LIFETIME);

        assertThat(store().claim(request(identity))).isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    default void aDoubtAboutAnAbandonedClaimNeverExpires() {
        Identity identity = newIdentity();
        abandoned(abandonedRequest(identity, OnAbandoned.HOLD, SHORT_LIFETIME));
        store().claim(request(identity));

        awaitPassing(SHORT_LIFETIME);

        assertThat(state(identity)).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void aClaimSentAgainByAHolderThatIsToBeHeldIsGrantedAfterItsLease() {
        ClaimRequest request = abandonedRequest(newIdentity(), OnAbandoned.HOLD);
        abandoned(request);

        assertThat(granted(request).attempt()).isEqualTo(1);
    }

    @Test
    default void anOwnerWhoseAbandonedClaimIsInDoubtCanStillComplete() {
        Identity identity = newIdentity();
        Claim late = abandoned(abandonedRequest(identity, OnAbandoned.HOLD));
        store().claim(request(identity));

        assertThat(store().complete(late, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);

        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanStillComplete() {
        Identity identity = newIdentity();
        Claim late = abandoned(identity);

        assertThat(store().complete(late, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);

        assertReplays(identity, OUTCOME, 1);
    }
}
