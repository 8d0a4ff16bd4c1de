package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import io.idempotency.testsupport.RedisSentinel;
import io.idempotency.testsupport.TestServers;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** An application that reads from replicas: a replica that is behind must not decide about a record. */
class RedisReplicaTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Duration SLOW = Duration.ofMinutes(1);

    private final Identity identity = TestRedis.newIdentity();

    @Test
    void noVerbAsksTheReplicaOfAPrimary() {
        RedisSentinel servers = TestServers.redisSentinel();

        assertThatNoVerbAsks(
                servers.replica(),
                servers.primary(),
                new RedisStandaloneConfiguration(
                        servers.primary().host(), servers.primary().port()));
    }

    @Test
    void noVerbAsksTheReplicaBehindASentinel() {
        RedisSentinel servers = TestServers.redisSentinel();

        assertThatNoVerbAsks(servers.replica(), servers.primary(), RedisTopology.sentinel(servers));
    }

    @Test
    void noVerbAsksTheReplicaInACluster() {
        try (RedisCluster servers = RedisCluster.start(3)) {
            RedisProcess primary = servers.nodeOf(TestRedis.keyText(identity));

            assertThatNoVerbAsks(servers.addReplicaOf(primary), primary, RedisTopology.cluster(servers));
        }
    }

    private void assertThatNoVerbAsks(RedisProcess replica, RedisProcess primary, RedisConfiguration servers) {
        Claim claim;
        try (TestRedis redis = open(servers)) {
            claim = redis.granted(identity);
        }
        primary.awaitReplicationTo(replica);
        replica.ask("CONFIG", "SET", "replica-read-only", "no");
        replica.ask("FLUSHALL");

        try (TestRedis redis = openReadingFromReplica(servers)) {
            assertThat(redis.store.find(identity)).isPresent();
            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
            assertThat(redis.store.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);
            assertThat(redis.store.complete(claim, Outcome.tombstone("ended"), RETENTION))
                    .isEqualTo(Ownership.OWNED);
            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
        }
    }

    /** A client of a cluster stays with the node that it has read from first; one that met the primary is of no use. */
    private TestRedis openReadingFromReplica(RedisConfiguration servers) {
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
