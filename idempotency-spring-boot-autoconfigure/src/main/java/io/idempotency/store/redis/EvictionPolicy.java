package io.idempotency.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Finds out whether Redis may evict records. All of them carry a time to live while they are no claim that is to be held,
 * so the policies that begin with {@code volatile} evict them as well as those that begin with {@code allkeys}. Without a
 * limit of memory nothing is evicted, whatever the policy is.
 *
 * <p>It reads {@code INFO memory}: providers of managed servers forbid {@code CONFIG}.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/eviction/">Key eviction</a>
 */
final class EvictionPolicy {

    private static final Logger logger = LoggerFactory.getLogger(EvictionPolicy.class);

    private static final String HARMLESS = "noeviction";

    private static final String WARNING =
            "Redis evicts records when its memory is full, and an operation whose record is gone runs again: its"
                    + " maxmemory-policy is %s; set it to noeviction";

    private final RedisConnectionFactory connectionFactory;

    EvictionPolicy(RedisConnectionFactory connectionFactory) {
        this.connectionFactory = connectionFactory;
    }

    /** Returns a warning for each dangerous policy; empty where there is none or the server does not tell. */
    List<String> warnings() {
        return memory().stream()
                .flatMap(memory -> dangerousPolicy(memory).stream())
                .distinct()
                .map(WARNING::formatted)
                .toList();
    }

    private static Optional<String> dangerousPolicy(Properties memory) {
        String policy = memory.getProperty("maxmemory_policy", HARMLESS);
        boolean limited = !"0".equals(memory.getProperty("maxmemory"));
        return limited && !policy.equals(HARMLESS) ? Optional.of(policy) : Optional.empty();
    }

    /** Asks the server, or every primary of a cluster. */
    private List<Properties> memory() {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            if (!(connection instanceof RedisClusterConnection cluster)) {
                return List.of(
                        Objects.requireNonNull(connection.serverCommands().info("memory")));
            }
            List<Properties> memory = new ArrayList<>();
            for (RedisClusterNode node : cluster.clusterGetNodes()) {
                if (node.isMaster() && !node.isMarkedAsFail()) {
                    memory.addAll(memory(cluster, node));
                }
            }
            return memory;
        } catch (RuntimeException unknown) {
            logger.debug("Redis does not tell its maxmemory-policy", unknown);
            return List.of();
        }
    }

    private static List<Properties> memory(RedisClusterConnection cluster, RedisClusterNode node) {
        try {
            return List.of(Objects.requireNonNull(cluster.serverCommands().info(node, "memory")));
        } catch (RuntimeException unknown) {
            logger.debug("A node of the Redis cluster does not tell its maxmemory-policy", unknown);
            return List.of();
        }
    }
}
