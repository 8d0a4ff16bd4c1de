package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import io.idempotency.testsupport.RedisSentinel;
import io.idempotency.testsupport.TestServers;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** An application that reads from replicas: a replica that is behind must not decide about a record. */
class RedisReplicaTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome OUTCOME = Outcome.tombstone("ended");

    private static final Duration SLOW = Duration.ofMinutes(1);

    @Test
    void noVerbAsksTheReplicaOfAPrimary() {
        RedisSentinel servers = TestServers.redisSentinel();

        assertThatNoVerbAsks(
                servers.replica(),
                servers.primary(),
                new RedisStandaloneConfiguration(
                        servers.primary().host(), servers.primary().port()),
                TestRedis::newIdentity);
    }

    @Test
    void noVerbAsksTheReplicaBehindASentinel() {
        RedisSentinel servers = TestServers.redisSentinel();

        assertThatNoVerbAsks(
                servers.replica(), servers.primary(), RedisTopology.sentinel(servers), TestRedis::newIdentity);
    }

    @Test
    void noVerbAsksTheReplicaInACluster() {
        try (RedisCluster servers = RedisCluster.start(3)) {
            RedisProcess primary = servers.nodes().get(0);
            Stream<Identity> identities = Stream.generate(TestRedis::newIdentity)
                    .filter(identity -> servers.nodeOf(TestRedis.keyText(identity)) == primary);

            assertThatNoVerbAsks(
                    servers.addReplicaOf(primary),
                    primary,
                    RedisTopology.cluster(servers),
                    identities.iterator()::next);
        }
    }

    /**
     * Asks each verb about a record that no other has changed, since a change by the primary reaches the replica too.
     *
     * @param identities whose records the primary keeps
     */
    private static void assertThatNoVerbAsks(
            RedisProcess replica, RedisProcess primary, RedisConfiguration servers, Supplier<Identity> identities) {
        List<Claim> claims;
        Claim inDoubt;
        try (TestRedis redis = open(servers)) {
            claims = Stream.generate(identities).limit(7).map(redis::granted).toList();
            inDoubt = redis.granted(identities.get());
            redis.store.recordStep(inDoubt, TestRedis.running("charge", inDoubt));
            redis.store.hold(inDoubt);
        }
        primary.awaitReplicationTo(replica);
        replica.ask("CONFIG", "SET", "replica-read-only", "no");
        replica.ask("FLUSHALL");

        Identity running = claims.get(0).identity();
        StepIdentity charge = StepIdentity.of("charge", null);
        try (TestRedis redis = openReadingFromReplica(servers, running)) {
            RedisIdempotencyStore store = redis.store;
            assertThat(store.find(running)).isPresent();
            assertThat(store.claim(TestRedis.request(running))).isInstanceOf(ClaimOutcome.InProgress.class);
            assertThat(store.renew(List.of(claims.get(1)))).containsEntry(claims.get(1), Renewal.RENEWED);
            assertThat(store.complete(claims.get(2), OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(store.release(claims.get(3), RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(store.hold(claims.get(4))).isEqualTo(Ownership.OWNED);
            assertThat(store.recordStep(claims.get(5), TestRedis.running("charge", claims.get(5))))
                    .isEqualTo(Ownership.OWNED);
            assertThat(store.forgetStep(claims.get(6), charge)).isEqualTo(Ownership.OWNED);
            assertThat(store.resolveStep(inDoubt.identity(), 1, charge, OUTCOME))
                    .isTrue();
            assertThat(store.resolve(inDoubt.identity(), 1, new Resolution.Retry(RETENTION)))
                    .isTrue();
        }
    }

    /** A client of a cluster stays with the node that it has read from first; one that met the primary is of no use. */
    private static TestRedis openReadingFromReplica(RedisConfiguration servers, Identity identity) {
        AtomicReference<TestRedis> found = new AtomicReference<>();
        await().atMost(SLOW).until(() -> {
            TestRedis redis = open(servers);
            if (redis.exists(identity)) {
                redis.close();
                return false;
            }
            found.set(redis);
            return true;
        });
        return found.get();
    }

    private static TestRedis open(RedisConfiguration servers) {
        return new TestRedis(RedisTopology.started(
                servers,
                LettuceClientConfiguration.builder()
                        .readFrom(ReadFrom.REPLICA_PREFERRED)
                        .build()));
    }
}
