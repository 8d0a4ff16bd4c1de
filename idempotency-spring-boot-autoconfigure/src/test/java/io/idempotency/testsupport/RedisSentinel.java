package io.idempotency.testsupport;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;

/**
 * A primary with one replica, watched by one sentinel, which is enough to promote the replica.
 *
 * @param primary the primary at the start
 * @param replica the replica at the start
 * @param sentinel what clients ask for the primary of the moment
 */
public record RedisSentinel(RedisProcess primary, RedisProcess replica, RedisProcess sentinel)
        implements AutoCloseable {

    /** The name by which clients ask for the primary. */
    public static final String MASTER = "records";

    private static final Duration SLOW_START = Duration.ofMinutes(1);

    /** @param downAfter how long a primary is silent before the replica is promoted */
    public static RedisSentinel start(Duration downAfter) {
        RedisExecutable executable = RedisExecutable.embedded();
        RedisProcess primary = RedisProcess.start(executable, List.of("save \"\"", "repl-diskless-sync-delay 0"));
        RedisProcess replica = RedisProcess.start(
                executable, List.of("save \"\"", "replicaof %s %d".formatted(primary.host(), primary.port())));
        await().atMost(SLOW_START)
                .until(() -> replica.ask("INFO", "replication").contains("master_link_status:up"));
        RedisProcess sentinel = RedisProcess.start(
                executable,
                List.of(
                        "sentinel monitor %s %s %d 1".formatted(MASTER, primary.host(), primary.port()),
                        "sentinel down-after-milliseconds %s %d".formatted(MASTER, downAfter.toMillis()),
                        "sentinel failover-timeout %s 10000".formatted(MASTER)),
                "--sentinel");
        RedisSentinel servers = new RedisSentinel(primary, replica, sentinel);
        await().atMost(SLOW_START)
                .until(() -> sentinel.ask("SENTINEL", "REPLICAS", MASTER).contains(Integer.toString(replica.port())));
        return servers;
    }

    @Override
    public void close() {
        sentinel.close();
        replica.close();
        primary.close();
    }
}
