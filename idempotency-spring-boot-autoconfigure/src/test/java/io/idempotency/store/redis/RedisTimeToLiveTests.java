package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the server keeps a key after each verb. */
@ParameterizedClass
@EnumSource
class RedisTimeToLiveTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome OUTCOME = Outcome.tombstone("ended");

    private static final long FOR_EVER = -1;

    private static final long OVER_AT_ONCE = -1;

    private final TestRedis redis;

    private final Identity identity = TestRedis.newIdentity();

    RedisTimeToLiveTests(RedisTopology topology) {
        redis = new TestRedis(topology);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aRunningClaimIsKeptForItsLifetime() {
        redis.granted(identity);

        assertIsKeptFor(TestRedis.LIFETIME);
    }

    @Test
    void aClaimThatIsToBeHeldIsKeptForEver() {
        redis.granted(TestRedis.request(identity, TestRedis.LEASE, OnAbandoned.HOLD));

        assertThat(timeToLive()).isEqualTo(FOR_EVER);
    }

    @Test
    void aRenewalDoesNotChangeHowLongAClaimIsKept() {
        Claim claim = redis.granted(identity);
        redis.ask(connection -> connection.keyCommands().pExpire(TestRedis.key(identity), RETENTION.toMillis()));

        redis.store.renew(List.of(claim));

        assertIsKeptFor(RETENTION);
    }

    @Test
    void aRenewalKeepsAClaimThatIsToBeHeldForEver() {
        Claim claim = redis.granted(TestRedis.request(identity, TestRedis.LEASE, OnAbandoned.HOLD));

        assertThat(redis.store.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);

        assertThat(timeToLive()).isEqualTo(FOR_EVER);
    }

    @Test
    void anOutcomeIsKeptForItsRetention() {
        redis.store.complete(redis.granted(identity), OUTCOME, RETENTION);

        assertIsKeptFor(RETENTION);
    }

    @Test
    void theOutcomeOfAClaimThatIsToBeHeldIsKeptForItsRetention() {
        Claim claim = redis.granted(TestRedis.request(identity, TestRedis.LEASE, OnAbandoned.HOLD));

        redis.store.complete(claim, OUTCOME, RETENTION);

        assertIsKeptFor(RETENTION);
    }

    @Test
    void completingAgainDoesNotExtendTheRetention() {
        Claim claim = redis.granted(identity);
        redis.store.complete(claim, OUTCOME, RETENTION);

        redis.store.complete(claim, OUTCOME, RETENTION.multipliedBy(2));

        assertIsKeptFor(RETENTION);
    }

    @Test
    void aReleasedRecordIsKeptForItsRetention() {
        redis.store.release(redis.granted(identity), RETENTION);

        assertIsKeptFor(RETENTION);
    }

    @Test
    void aHeldRecordIsKeptForEver() {
        redis.store.hold(redis.granted(identity));

        assertThat(timeToLive()).isEqualTo(FOR_EVER);
    }

    @Test
    void aResolvedRecordIsKeptForItsRetention() {
        redis.store.hold(redis.granted(identity));

        redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION));

        assertIsKeptFor(RETENTION);
    }

    @Test
    void aClaimAfterAReleaseIsKeptForItsLifetime() {
        redis.store.release(redis.granted(identity), RETENTION);

        redis.granted(identity);

        assertIsKeptFor(TestRedis.LIFETIME);
    }

    @Test
    void aRefusedClaimDoesNotExtendAnything() {
        redis.store.complete(redis.granted(identity), OUTCOME, RETENTION);
        ClaimRequest duplicate = TestRedis.request(identity);

        redis.store.claim(duplicate);

        assertIsKeptFor(RETENTION);
    }

    @Test
    void aRetentionOfLessThanAMillisecondIsNotForEver() {
        redis.store.complete(redis.granted(identity), OUTCOME, Duration.ofNanos(1));

        await().until(() -> redis.store.find(identity).isEmpty());
    }

    /** As when the server is frozen between two lines of a script for longer than the record is kept. */
    @ParameterizedTest
    @ValueSource(strings = {"complete", "release"})
    void timeThatIsOverAtOnceLeavesNothingThatStaysForEver(String verb) {
        Claim claim = redis.granted(identity);
        ScriptCall call = new ScriptCall(TestRedis.key(identity))
                .with(claim.owner())
                .with(OVER_AT_ONCE)
                .with(OUTCOME);

        assertThat(redis.run(LuaScript.of(verb), call).is("OWNED")).isTrue();

        assertThat(redis.exists(identity)).isFalse();
    }

    @Test
    void aTakeoverWhoseTimeIsOverAtOnceLeavesNothingThatStaysForEver() {
        redis.store.release(redis.granted(identity), RETENTION);
        ScriptCall call = new ScriptCall(TestRedis.key(identity))
                .with(OwnerToken.random())
                .with(Fingerprint.none())
                .with(TestRedis.LEASE)
                .with(OVER_AT_ONCE)
                .with(0);

        assertThat(redis.run(LuaScript.of("claim"), call).is("GRANTED")).isTrue();

        assertThat(redis.exists(identity)).isFalse();
    }

    @Test
    void aResolutionWhoseTimeIsOverAtOnceLeavesNothingThatStaysForEver() {
        redis.store.hold(redis.granted(identity));
        ScriptCall call = new ScriptCall(TestRedis.key(identity))
                .with(1)
                .with(RecordState.RETRYABLE.code())
                .with(OVER_AT_ONCE);

        assertThat(redis.run(LuaScript.of("resolve"), call).is("RESOLVED")).isTrue();

        assertThat(redis.exists(identity)).isFalse();
    }

    private void assertIsKeptFor(Duration duration) {
        assertThat(Duration.ofMillis(timeToLive())).isBetween(duration.minusMinutes(1), duration);
    }

    private long timeToLive() {
        return redis.ask(connection -> connection.keyCommands().pTtl(TestRedis.key(identity)));
    }
}
