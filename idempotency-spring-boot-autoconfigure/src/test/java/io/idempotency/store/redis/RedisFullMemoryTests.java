package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose memory is full and that evicts nothing: nobody begins, everybody can end. */
@ParameterizedClass
@EnumSource
class RedisFullMemoryTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome LARGE =
            new Outcome(Outcome.Kind.VALUE, "text/1", "x".repeat(10_000).getBytes(StandardCharsets.UTF_8));

    private static final String UNLIMITED = "0";

    private final TestRedis redis;

    private final Identity identity = TestRedis.newIdentity();

    RedisFullMemoryTests(RedisTopology topology) {
        redis = new TestRedis(topology);
    }

    @AfterEach
    void freeTheMemory() {
        limitMemory(UNLIMITED);
        redis.close();
    }

    @Test
    void aNewClaimFailsAndLeavesNothing() {
        fillTheMemory();

        assertThatThrownBy(() -> redis.store.claim(TestRedis.request(identity)))
                .isInstanceOf(IdempotencyStoreException.class)
                .hasMessageContaining("claim");

        assertThat(redis.exists(identity)).isFalse();
    }

    @Test
    void aRunningClaimIsCompleted() {
        Claim claim = redis.granted(identity);
        fillTheMemory();

        assertThat(redis.store.complete(claim, LARGE, RETENTION)).isEqualTo(Ownership.OWNED);

        assertThat(redis.store.claim(TestRedis.request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Completed.class,
                        completed -> assertThat(completed.outcome().toBytes()).isEqualTo(LARGE.toBytes()));
    }

    @Test
    void aRunningClaimIsRenewed() {
        Claim claim = redis.granted(identity);
        Claim toBeHeld = redis.granted(TestRedis.request(TestRedis.newIdentity(), TestRedis.LEASE, OnAbandoned.HOLD));
        fillTheMemory();

        assertThat(redis.store.renew(List.of(claim, toBeHeld)).values()).containsOnly(Renewal.RENEWED);
    }

    @Test
    void aRunningClaimIsReleasedAndClaimedAgain() {
        Claim claim = redis.granted(identity);
        fillTheMemory();

        assertThat(redis.store.release(claim, RETENTION)).isEqualTo(Ownership.OWNED);

        assertThat(redis.granted(identity).attempt()).isEqualTo(2);
    }

    @Test
    void aRunningClaimIsHeldAndResolved() {
        Claim claim = redis.granted(identity);
        fillTheMemory();

        assertThat(redis.store.hold(claim)).isEqualTo(Ownership.OWNED);

        assertThat(redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION)))
                .isTrue();
    }

    @Test
    void anAbandonedClaimThatIsToBeHeldIsInDoubt() {
        ClaimRequest abandoned = TestRedis.request(identity, Duration.ofMillis(1), OnAbandoned.HOLD);
        redis.granted(abandoned);
        await().until(() ->
                redis.store.find(identity).orElseThrow().remainingLease().toMillis() <= 0);
        fillTheMemory();

        assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.InDoubt.class);
    }

    @Test
    void stepsOfARunningClaimAreRecordedAndResolved() {
        Claim claim = redis.granted(identity);
        StepRecord running = TestRedis.running("charge", claim);
        fillTheMemory();

        assertThat(redis.store.recordStep(claim, running)).isEqualTo(Ownership.OWNED);
        redis.store.hold(claim);
        assertThat(redis.store.resolveStep(identity, 1, running.step(), LARGE)).isTrue();

        redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION));
        assertThat(redis.grant(TestRedis.request(identity)).steps())
                .singleElement()
                .satisfies(step -> {
                    assertThat(step.step()).isEqualTo(running.step());
                    assertThat(step.result().toBytes()).isEqualTo(LARGE.toBytes());
                });
    }

    @Test
    void aStepOfARunningClaimIsForgotten() {
        Claim claim = redis.granted(identity);
        StepRecord running = TestRedis.running("charge", claim);
        redis.store.recordStep(claim, running);
        fillTheMemory();

        assertThat(redis.store.forgetStep(claim, running.step())).isEqualTo(Ownership.OWNED);

        redis.store.release(claim, RETENTION);
        assertThat(redis.grant(TestRedis.request(identity)).steps()).isEmpty();
    }

    private void fillTheMemory() {
        limitMemory("1");
    }

    private void limitMemory(String bytes) {
        redis.ask(connection -> {
            connection.serverCommands().setConfig("maxmemory-policy", "noeviction");
            connection.serverCommands().setConfig("maxmemory", bytes);
            return true;
        });
    }
}
