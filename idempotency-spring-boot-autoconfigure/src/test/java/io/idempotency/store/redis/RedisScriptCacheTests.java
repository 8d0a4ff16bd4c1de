package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that forgot the scripts, as after a restart or a failover: nobody notices. */
@ParameterizedClass
@EnumSource
class RedisScriptCacheTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private final TestRedis redis;

    private final Identity identity = TestRedis.newIdentity();

    RedisScriptCacheTests(RedisTopology topology) {
        redis = new TestRedis(topology);
    }

    @BeforeEach
    void forgetScripts() {
        redis.ask(connection -> {
            connection.scriptingCommands().scriptFlush();
            return true;
        });
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aClaimIsGranted() {
        assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void anOutcomeIsRecordedAndReplayed() {
        Claim claim = redis.granted(identity);
        forgetScripts();

        assertThat(redis.store.complete(claim, Outcome.tombstone("ended"), RETENTION))
                .isEqualTo(Ownership.OWNED);

        forgetScripts();
        assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    void aClaimIsReleased() {
        Claim claim = redis.granted(identity);
        forgetScripts();

        assertThat(redis.store.release(claim, RETENTION)).isEqualTo(Ownership.OWNED);
    }

    @Test
    void aClaimIsHeldAndResolved() {
        Claim claim = redis.granted(identity);
        forgetScripts();

        assertThat(redis.store.hold(claim)).isEqualTo(Ownership.OWNED);

        forgetScripts();
        assertThat(redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION)))
                .isTrue();
    }

    @Test
    void everyClaimOfABatchIsRenewed() {
        Claim one = redis.granted(identity);
        Claim other = redis.granted(TestRedis.newIdentity());
        forgetScripts();

        assertThat(redis.store.renew(List.of(one, other)))
                .containsEntry(one, Renewal.RENEWED)
                .containsEntry(other, Renewal.RENEWED);
    }

    @Test
    void aRecordIsFound() {
        redis.granted(identity);
        forgetScripts();

        assertThat(redis.store.find(identity))
                .hasValueSatisfying(record -> assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS));
    }

    @Test
    void aStepIsRecordedResolvedAndBrought() {
        Claim claim = redis.granted(identity);
        StepRecord running = TestRedis.running("charge", claim);
        Outcome result = Outcome.tombstone("ended");
        forgetScripts();

        assertThat(redis.store.recordStep(claim, running)).isEqualTo(Ownership.OWNED);

        redis.store.hold(claim);
        forgetScripts();
        assertThat(redis.store.resolveStep(identity, 1, running.step(), result)).isTrue();

        redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION));
        forgetScripts();
        assertThat(redis.grant(TestRedis.request(identity)).steps())
                .singleElement()
                .satisfies(step -> {
                    assertThat(step.step()).isEqualTo(running.step());
                    assertThat(step.result().toBytes()).isEqualTo(result.toBytes());
                });
    }

    @Test
    void aStepIsForgotten() {
        Claim claim = redis.granted(identity);
        StepRecord running = TestRedis.running("charge", claim);
        redis.store.recordStep(claim, running);
        forgetScripts();

        assertThat(redis.store.forgetStep(claim, running.step())).isEqualTo(Ownership.OWNED);
    }
}
