package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Nodes of a cluster that go down, freeze, change places and give their slots away. */
class RedisClusterTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome OUTCOME = Outcome.tombstone("ended");

    /** Far above what the other nodes need, far below what the client waits for a frozen one. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(6);

    /** What the client library has by itself. */
    private static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(1);

    private static RedisCluster cluster;

    private final TestRedis redis = new TestRedis(connections(CLIENT_TIMEOUT), STORE_TIMEOUT);

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.start(3);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void keysAreSpreadOverTheNodesWhateverBracesTheUserSends() {
        RedisIdempotencyStore store = new RedisIdempotencyStore(redis.connections, "spread:", STORE_TIMEOUT);
        Stream.generate(() -> TestRedis.newIdentity("{same}"))
                .limit(60)
                .forEach(identity -> store.claim(TestRedis.request(identity)));

        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.ask("KEYS", "*spread:*")).isNotBlank());
    }

    @Test
    void whatIsOnANodeThatIsDownFailsAndTheRestWorks() {
        RedisProcess down = cluster.nodes().get(0);
        List<Identity> others = cluster.nodes().stream()
                .skip(1)
                .map(RedisClusterTests::identityOn)
                .toList();
        Identity lost = identityOn(down);
        LettuceConnectionFactory impatient = connections(Duration.ofSeconds(1));
        try (TestRedis shop = new TestRedis(impatient, STORE_TIMEOUT)) {
            Claim claim = shop.granted(others.get(0));
            down.kill();

            assertThatThrownBy(() -> shop.store.claim(TestRedis.request(lost)))
                    .isInstanceOf(IdempotencyStoreException.class);
            assertThat(shop.store.complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(shop.store.claim(TestRedis.request(others.get(1)))).isInstanceOf(ClaimOutcome.Granted.class);

            down.restart();
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptionsInstanceOf(IdempotencyStoreException.class)
                    .until(() -> shop.store.claim(TestRedis.request(lost)) instanceof ClaimOutcome.Granted);
        }
    }

    @Test
    void aFrozenNodeDoesNotKeepTheOthersFromRenewing() {
        Map<RedisProcess, Claim> claims = claimOnEveryNode();
        RedisProcess frozen = cluster.nodes().get(1);
        redis.store.renew(claims.values());
        frozen.freeze();
        long sentAt = System.nanoTime();
        try {
            assertThat(redis.store.renew(claims.values()))
                    .hasSize(3)
                    .allSatisfy((claim, answer) ->
                            assertThat(answer).isEqualTo(claim == claims.get(frozen) ? Renewal.BUSY : Renewal.RENEWED));
            assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(CLIENT_TIMEOUT.dividedBy(2));
        } finally {
            frozen.thaw();
        }
        assertThat(redis.store.renew(claims.values()).values()).hasSize(3).containsOnly(Renewal.RENEWED);
    }

    /** The client library would keep each of them for a minute, and with them the threads of all claims. */
    @Test
    void claimsOnAFrozenNodeAreGivenUp() {
        RedisProcess frozen = cluster.nodes().get(1);
        Identity silent = identityOn(frozen);
        redis.store.find(silent);
        frozen.freeze();
        long sentAt = System.nanoTime();
        try {
            assertThatThrownBy(() -> redis.store.claim(TestRedis.request(silent)))
                    .isInstanceOf(IdempotencyStoreException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(CLIENT_TIMEOUT.dividedBy(2));
        } finally {
            frozen.thaw();
        }
    }

    @Test
    void aBatchOfWhichNothingIsKnownFails() {
        Claim claim = redis.granted(identityOn(cluster.nodes().get(2)));
        redis.connections.stop();

        assertThatThrownBy(() -> redis.store.renew(List.of(claim))).isInstanceOf(IdempotencyStoreException.class);

        redis.connections.start();
    }

    @Test
    void aRecordIsFollowedWhileItsSlotMovesAndAfterwards() {
        RedisProcess from = cluster.nodes().get(0);
        RedisProcess to = cluster.nodes().get(1);
        Identity moved = identityOn(from);
        int slot = cluster.slotOf(TestRedis.keyText(moved));
        Claim claim = redis.granted(moved);

        cluster.beginMove(slot, from, to);
        assertThat(redis.store.claim(TestRedis.request(moved))).isInstanceOf(ClaimOutcome.InProgress.class);
        cluster.moveKey(TestRedis.keyText(moved), from, to);
        assertThat(redis.store.claim(TestRedis.request(moved))).isInstanceOf(ClaimOutcome.InProgress.class);
        assertThat(redis.store.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);
        cluster.endMove(slot, to);

        assertThat(redis.store.complete(claim, OUTCOME, RETENTION)).isEqualTo(Ownership.OWNED);
        assertThat(redis.store.claim(TestRedis.request(moved))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    private Map<RedisProcess, Claim> claimOnEveryNode() {
        return cluster.nodes().stream()
                .collect(Collectors.toMap(node -> node, node -> redis.granted(identityOn(node))));
    }

    private static Identity identityOn(RedisProcess node) {
        return Stream.generate(TestRedis::newIdentity)
                .filter(identity -> cluster.nodeOf(TestRedis.keyText(identity)) == node)
                .findFirst()
                .orElseThrow();
    }

    private static LettuceConnectionFactory connections(Duration commandTimeout) {
        return RedisTopology.started(
                RedisTopology.cluster(cluster),
                LettuceClientConfiguration.builder()
                        .commandTimeout(commandTimeout)
                        .build());
    }
}
