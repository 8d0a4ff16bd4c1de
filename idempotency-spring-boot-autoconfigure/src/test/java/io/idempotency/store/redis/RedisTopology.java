package io.idempotency.store.redis;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.idempotency.testsupport.RedisCluster;
import io.idempotency.testsupport.RedisProcess;
import io.idempotency.testsupport.RedisSentinel;
import io.idempotency.testsupport.TestServers;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The kinds of servers that the store must do with. */
public enum RedisTopology {
    REDIS_6_2(() -> standalone(TestServers.redis62())),

    REDIS_7(() -> {
        Optional<TestServers.Redis> server = TestServers.redis7();
        assumeThat(server)
                .as("a Redis 7: set IDEMPOTENCY_TEST_REDIS, run a Docker engine, or install redis-server")
                .isPresent();
        return standalone(server.orElseThrow());
    }),

    CLUSTER(() -> cluster(TestServers.redisCluster())),

    SENTINEL(() -> sentinel(TestServers.redisSentinel()));

    private final Supplier<RedisConfiguration> configuration;

    RedisTopology(Supplier<RedisConfiguration> configuration) {
        this.configuration = configuration;
    }

    /** Returns a started factory; the caller destroys it. Where there is no such server, the test is skipped. */
    public LettuceConnectionFactory newConnectionFactory() {
        return started(configuration.get(), LettuceClientConfiguration.defaultConfiguration());
    }

    static LettuceConnectionFactory started(RedisConfiguration servers, LettuceClientConfiguration client) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(servers, client);
        factory.afterPropertiesSet();
        return factory;
    }

    static RedisStandaloneConfiguration standalone(TestServers.Redis server) {
        return new RedisStandaloneConfiguration(server.host(), server.port());
    }

    static RedisClusterConfiguration cluster(RedisCluster servers) {
        RedisClusterConfiguration configuration = new RedisClusterConfiguration();
        for (RedisProcess node : servers.nodes()) {
            configuration.clusterNode(node.host(), node.port());
        }
        return configuration;
    }

    static RedisSentinelConfiguration sentinel(RedisSentinel servers) {
        return new RedisSentinelConfiguration()
                .master(RedisSentinel.MASTER)
                .sentinel(servers.sentinel().host(), servers.sentinel().port());
    }
}
