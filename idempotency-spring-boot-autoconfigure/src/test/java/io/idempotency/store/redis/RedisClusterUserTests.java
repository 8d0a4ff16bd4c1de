package io.idempotency.store.redis;

import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What a user of a Cluster must be allowed beside what the store sends, since the client library asks for more. */
class RedisClusterUserTests {

    private final RedisCluster cluster = TestServers.redisCluster();

    @AfterEach
    void forgetTheUser() {
        cluster.nodes().forEach(node -> node.ask("ACL", "DELUSER", "limited"));
    }

    @Test
    void theRightsOfTheStoreAndTheseAreEnoughByLettuce() {
        allow("+cluster|nodes +info");
        LettuceConnectionFactory connections =
                RedisTopology.started(limitedUser(), LettuceClientConfiguration.defaultConfiguration());
        try {
            assertThatEveryVerbWorks(connections);
        } finally {
            connections.destroy();
        }
    }

    @Test
    void theRightsOfTheStoreAndTheseAreEnoughByJedis() {
        allow("+cluster|slots +cluster|nodes +info");
        JedisConnectionFactory connections = new JedisConnectionFactory(limitedUser());
        connections.afterPropertiesSet();
        try {
            assertThatEveryVerbWorks(connections);
        } finally {
            connections.destroy();
        }
    }

    private static void assertThatEveryVerbWorks(RedisConnectionFactory connections) {
        RedisUserTests.assertThatEveryVerbWorks(
                new RedisIdempotencyStore(connections, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT));
    }

    private void allow(String ofTheClient) {
        cluster.nodes().forEach(node -> RedisUserTests.allow(node, RedisUserTests.COMMANDS + " " + ofTheClient));
    }

    private RedisClusterConfiguration limitedUser() {
        RedisClusterConfiguration configuration = RedisTopology.cluster(cluster);
        configuration.setUsername("limited");
        configuration.setPassword("secret");
        return configuration;
    }
}
