package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import io.idempotency.testsupport.RedisSentinel;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** Primaries that die while operations run, and the replicas that take their place without having seen a script. */
class RedisFailoverTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome OUTCOME = Outcome.tombstone("ended");

    private static final Duration PROMOTION = Duration.ofMinutes(2);

    private final Identity identity = TestRedis.newIdentity();

    @Test
    void aClaimIsRenewedAndCompletedAfterTheSentinelsHavePromotedTheReplica() {
        try (RedisSentinel servers = RedisSentinel.start(Duration.ofSeconds(1));
                TestRedis redis = connected(RedisTopology.sentinel(servers))) {
            Claim claim = redis.granted(identity);
            servers.primary().awaitReplicationTo(servers.replica());

            servers.primary().kill();

            awaitPromotion().until(() -> redis.store.renew(List.of(claim)).get(claim) == Renewal.RENEWED);
            assertThat(redis.store.complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
        }
    }

    /** What the table of promises excludes: the caller is told, nobody pretends. */
    @Test
    void aClaimThatTheReplicaNeverSawIsToldAsLostAndIsGrantedAnew() {
        try (RedisSentinel servers = RedisSentinel.start(Duration.ofSeconds(1));
                TestRedis redis = connected(RedisTopology.sentinel(servers))) {
            Claim claim = redis.granted(identity);
            servers.primary().awaitReplicationTo(servers.replica());
            servers.replica().ask("CONFIG", "SET", "replica-read-only", "no");
            servers.replica().ask("DEL", TestRedis.keyText(identity));

            servers.primary().kill();

            awaitPromotion().until(() -> redis.store.complete(claim, OUTCOME, RETENTION) == Ownership.LOST);
            assertThat(redis.granted(identity).attempt()).isEqualTo(1);
        }
    }

    @Test
    void anOperationDuringWhichThePrimaryDiesGivesItsResultAndIsReplayedLater() {
        try (RedisSentinel servers = RedisSentinel.start(Duration.ofSeconds(1));
                TestRedis redis = connected(RedisTopology.sentinel(servers));
                IdempotencyTemplate idempotency = engine(redis)) {
            IdempotentResult<String> first = execute(idempotency, () -> {
                servers.primary().awaitReplicationTo(servers.replica());
                servers.primary().kill();
                return "charged";
            });

            assertThat(first.value()).isEqualTo("charged");
            awaitPromotion()
                    .until(() -> execute(idempotency, () -> "charged twice").replayed());
            assertThat(execute(idempotency, () -> "charged twice").value()).isEqualTo("charged");
        }
    }

    @Test
    void aClaimIsRenewedAndCompletedAfterAReplicaOfAClusterWasPromoted() {
        try (RedisCluster servers = RedisCluster.start(3);
                TestRedis redis = connected(RedisTopology.cluster(servers))) {
            RedisProcess primary = servers.nodeOf(TestRedis.keyText(identity));
            RedisProcess replica = servers.addReplicaOf(primary);
            Claim claim = redis.granted(identity);
            primary.awaitReplicationTo(replica);

            primary.kill();
            servers.promote(replica);

            awaitPromotion().until(() -> redis.store.renew(List.of(claim)).get(claim) == Renewal.RENEWED);
            assertThat(redis.store.complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
        }
    }

    private IdempotentResult<String> execute(IdempotencyTemplate idempotency, Supplier<String> work) {
        return idempotency.operation("failover").key(identity.hex()).execute(String.class, work::get);
    }

    private static IdempotencyTemplate engine(TestRedis redis) {
        return new IdempotencyTemplate(
                redis.store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("failover", Duration.ofSeconds(2), 0),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
    }

    /** With a client that gives up a silent server soon, so that the next call is not far away. */
    private static TestRedis connected(RedisConfiguration servers) {
        return new TestRedis(RedisTopology.started(
                servers,
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofSeconds(1))
                        .build()));
    }

    private static ConditionFactory awaitPromotion() {
        return await().atMost(PROMOTION)
                .ignoreExceptionsMatching(failure -> failure instanceof IdempotencyStoreException
                        || failure instanceof OperationInProgressException);
    }
}
