package io.idempotency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes back of an outcome, and for how long. */
interface OutcomeContract extends StoreFixture {

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNREADABLE")
    default void anOutcomeOfEveryKindComesBack(Outcome.Kind kind) {
        assertComesBack(new Outcome(kind, "text/1", new byte[] {1, 2, 3}));
    }

    /** Around what a database's smaller types take, and around the default of {@code idempotency.max-outcome-size}. */
    @ParameterizedTest
    @ValueSource(ints = {65_535, 65_536, 1_048_575, 1_048_576, 1_048_577})
    default void aLargeOutcomeComesBackByteForByte(int size) {
        byte[] content = new byte[size];
        new Random(17).nextBytes(content);

        assertComesBack(new Outcome(Outcome.Kind.VALUE, "bytes/1", content));
    }

    @Test
    default void everyByteComesBack() {
        byte[] content = new byte[256];
        for (int value = 0; value < content.length; value++) {
            content[value] = (byte) value;
        }

        assertComesBack(new Outcome(Outcome.Kind.VALUE, "bytes/1", content));
    }

    @Test
    default void anEmptyOutcomeComesBack() {
        assertComesBack(new Outcome(Outcome.Kind.VALUE, "", new byte[0]));
    }

    private void assertComesBack(Outcome outcome) {
        Identity identity = newIdentity();
        store().complete(granted(identity), outcome, RETENTION);

        assertReplays(identity, outcome, 1);
    }

    @Test
    default void theOutcomeOfAnEarlierGenerationDoesNotComeBack() {
        Identity identity = newIdentity();
        store().complete(granted(identity), OUTCOME, Duration.ofMillis(1));
        awaitExpiry(identity);
        Claim anew = granted(identity);

        store().complete(anew, OTHER_OUTCOME, RETENTION);

        assertReplays(identity, OTHER_OUTCOME, anew.attempt());
    }

    @Test
    default void anOutcomeOutlivesLeaseAndLifetimeOfItsClaim() {
        Duration lifetime = Duration.ofMillis(200);
        Identity identity = newIdentity();
        store().complete(
                        granted(StoreFixture.abandonedRequest(identity, OnAbandoned.RETRY, lifetime)),
                        OUTCOME,
                        RETENTION);

        awaitPassing(lifetime);

        assertReplays(identity, OUTCOME, 1);
    }

    @Test
    default void theOutcomeOfAClaimThatIsToBeHeldExpires() {
        Identity identity = newIdentity();

        store().complete(
                        granted(StoreFixture.abandonedRequest(identity, OnAbandoned.HOLD)),
                        OUTCOME,
                        Duration.ofMillis(1));

        awaitExpiry(identity);
    }

    @Test
    default void aRetentionHonoursMilliseconds() {
        Duration retention = Duration.ofMillis(300);
        Identity identity = newIdentity();
        Claim claim = granted(identity);
        long sentAt = System.nanoTime();
        store().complete(claim, OUTCOME, retention);
        long recordedAt = System.nanoTime();
        long[] lastSeenAt = {recordedAt};

        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> {
            long askedAt = System.nanoTime();
            boolean gone = store().find(identity).isEmpty();
            if (!gone) {
                lastSeenAt[0] = askedAt;
            }
            return gone;
        });

        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThan(retention.minusMillis(10));
        assertThat(Duration.ofNanos(lastSeenAt[0] - recordedAt)).isLessThan(retention.plusMillis(10));
    }
}
