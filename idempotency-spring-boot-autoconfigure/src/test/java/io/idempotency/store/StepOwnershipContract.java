package io.idempotency.store;

import static io.idempotency.store.StepFixture.done;
import static io.idempotency.store.StoreFixture.abandonedRequest;
import static io.idempotency.store.StoreFixture.request;
import static io.idempotency.store.StoreFixture.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who may record a step, and what that does to his claim. */
interface StepOwnershipContract extends StepFixture {

    @Test
    default void aStaleOwnerCannotRecordOrForgetAStep() {
        Identity identity = newIdentity();
        Claim stale = granted(abandonedRequest(identity, OnAbandoned.RETRY));
        StepRecord kept = done(MAIL, "sent");
        steps().recordStep(stale, kept);
        awaitEndOfLease(identity);
        Claim successor = granted(identity);

        assertThat(steps().recordStep(stale, done(CHARGE, "a receipt"))).isEqualTo(Ownership.LOST);
        assertThat(steps().recordStep(stale, done(MAIL, "sent twice"))).isEqualTo(Ownership.LOST);
        assertThat(steps().forgetStep(stale, MAIL)).isEqualTo(Ownership.LOST);

        store().release(successor, RETENTION);
        assertSteps(request(identity), kept);
    }

    @Test
    default void nobodyCanRecordAStepOfWhatHasEnded() {
        Claim completed = completed(newIdentity());
        Claim released = released(newIdentity());
        Claim held = held(newIdentity());
        Claim missing = new Claim(newIdentity(), OwnerToken.random(), 1, LEASE);

        for (Claim ended : List.of(completed, released, held, missing)) {
            assertThat(steps().recordStep(ended, done(CHARGE, "a receipt"))).isEqualTo(Ownership.LOST);
            assertThat(steps().forgetStep(ended, CHARGE)).isEqualTo(Ownership.LOST);
        }

        assertThat(store().find(missing.identity())).isEmpty();
        assertSteps(request(released.identity()));
    }

    @Test
    default void anOwnerWhoseLeaseIsOverButNotTakenOverCanRecordAStep() {
        Identity identity = newIdentity();
        Claim claim = abandoned(identity);

        assertThat(steps().recordStep(claim, done(CHARGE, "a receipt"))).isEqualTo(Ownership.OWNED);
    }

    @Test
    default void recordingAStepKeepsLeaseAndLifetime() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);

        steps().recordStep(claim, done(CHARGE, "a receipt"));

        assertThat(find(identity).remainingLease()).isBetween(LEASE.dividedBy(2), LEASE);
        assertThat(store().complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void stepsMayBeRecordedAtTheSameTime() {
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        StepRecord[] done = IntStream.range(0, CALLERS)
                .mapToObj(item -> done(StepIdentity.of("ship", Integer.toString(item)), "shipped"))
                .toArray(StepRecord[]::new);

        assertThat(together(Arrays.stream(done)
                        .<Callable<Ownership>>map(step -> () -> steps().recordStep(claim, step))
                        .toList()))
                .containsOnly(Ownership.OWNED);

        store().release(claim, RETENTION);
        assertSteps(request(identity), done);
    }
}
