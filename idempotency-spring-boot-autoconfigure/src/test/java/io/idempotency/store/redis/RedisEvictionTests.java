package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.testsupport.CapturedLog;
import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import io.idempotency.testsupport.TestServers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** Servers that are set up to drop records when their memory is full, and what is said about it. */
class RedisEvictionTests {

    private final RedisProcess server = RedisProcess.start();

    private final RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random",
                "volatile-lru",
                "volatile-lfu",
                "volatile-random",
                "volatile-ttl"
            })
    void aPolicyThatEvictsIsAWarningWithItsRemedy(String policy) {
        limitMemory(server, policy);

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("maxmemory-policy is " + policy)
                .contains("set it to noeviction");
    }

    @Test
    void aServerThatRefusesWritesInsteadIsNoWarning() {
        limitMemory(server, "noeviction");

        assertThat(warnings()).isEmpty();
    }

    @Test
    void aServerWithoutALimitIsNoWarning() {
        server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");

        assertThat(warnings()).isEmpty();
    }

    @Test
    void theWarningIsLoggedWhenTheStoreConnects() {
        limitMemory(server, "allkeys-lru");

        assertThat(loggedAtConnecting(address)).singleElement().asString().contains("allkeys-lru");
    }

    /** As providers of managed servers do. */
    @Test
    void aServerThatForbidsConfigIsWarnedAbout() {
        limitMemory(server, "allkeys-lru");
        server.ask("ACL", "SETUSER", "default", "-config");

        assertThat(warnings()).hasSize(1);
    }

    @Test
    void aServerThatDoesNotTellIsNoWarningAndNoFailure() {
        limitMemory(server, "allkeys-lru");
        server.ask("ACL", "SETUSER", "limited", "on", ">secret", "~*", "+@all", "-info");
        address.setUsername("limited");
        address.setPassword("secret");

        assertThat(warnings()).isEmpty();
        assertThat(loggedAtConnecting(address)).isEmpty();
    }

    @Test
    void everyPrimaryOfAClusterIsAsked() {
        RedisCluster cluster = TestServers.redisCluster();
        RedisProcess careless = cluster.nodes().get(2);
        limitMemory(careless, "volatile-ttl");
        try (TestRedis redis = new TestRedis(RedisTopology.CLUSTER)) {
            assertThat(redis.store.warnings()).singleElement().asString().contains("volatile-ttl");
        } finally {
            careless.ask("CONFIG", "SET", "maxmemory", "0");
            careless.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    private List<String> warnings() {
        try (TestRedis redis = connected(address)) {
            return redis.store.warnings();
        }
    }

    private static List<String> loggedAtConnecting(RedisStandaloneConfiguration address) {
        try (CapturedLog log = new CapturedLog(RedisIdempotencyStore.class.getName(), "WARN");
                TestRedis redis = connected(address)) {
            redis.store.connect();
            return log.lines();
        }
    }

    private static TestRedis connected(RedisStandaloneConfiguration address) {
        return new TestRedis(RedisTopology.started(address, LettuceClientConfiguration.defaultConfiguration()));
    }

    private static void limitMemory(RedisProcess server, String policy) {
        server.ask("CONFIG", "SET", "maxmemory", "100mb");
        server.ask("CONFIG", "SET", "maxmemory-policy", policy);
    }
}
