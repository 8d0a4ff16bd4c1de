package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Runs a script on many keys: in one pipeline, or on a cluster in one for each node, so that a node that is down or frozen
 * does not keep the answers of the others from their callers.
 */
final class ScriptBatch {

    private static final Logger logger = LoggerFactory.getLogger(ScriptBatch.class);

    /** A frozen node holds a thread of each batch until the client library gives up. */
    private static final int MAX_THREADS = 256;

    private final RedisConnectionFactory connectionFactory;

    private final ScriptRunner scripts;

    private final Duration timeLimit;

    private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("idempotency-redis-");

    /** @param timeLimit how long a node of a cluster may be silent before the others are told without it */
    ScriptBatch(RedisConnectionFactory connectionFactory, Duration timeLimit) {
        this.connectionFactory = connectionFactory;
        this.scripts = new ScriptRunner(connectionFactory);
        this.timeLimit = timeLimit;
        threads.setDaemon(true);
        threads.setConcurrencyLimit(MAX_THREADS);
        threads.setRejectTasksWhenLimitReached(true);
    }

    /**
     * Runs a script for each call. Running it twice must do no harm.
     *
     * @return the replies; of calls that are missing nobody knows whether they were executed
     * @throws IdempotencyStoreException if nobody knows it of any
     */
    Map<ScriptCall, ScriptReply> run(LuaScript script, Collection<ScriptCall> calls) {
        Collection<List<ScriptCall>> parts = byNode(List.copyOf(calls));
        return parts.size() == 1 ? runOnOneNode(script, parts.iterator().next()) : runOnSeveral(script, parts);
    }

    /** Divides the calls by the node that serves them. */
    private Collection<List<ScriptCall>> byNode(List<ScriptCall> calls) {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            if (!(connection instanceof RedisClusterConnection cluster)) {
                return List.of(calls);
            }
            // All of them at once: to ask for the node of one key costs as much.
            Iterable<RedisClusterNode> nodes = cluster.clusterGetNodes();
            return calls.stream()
                    .collect(Collectors.groupingBy(call -> serving(nodes, cluster.clusterGetSlotForKey(call.key()))))
                    .values();
        } catch (RuntimeException failure) {
            throw new IdempotencyStoreException("The nodes of the Redis cluster are not known", failure);
        }
    }

    /** Returns the address of the node that serves a slot; empty where the client knows of none. */
    private static String serving(Iterable<RedisClusterNode> nodes, int slot) {
        for (RedisClusterNode node : nodes) {
            if (node.isMaster() && node.servesSlot(slot)) {
                return node.asString();
            }
        }
        return "";
    }

    private Map<ScriptCall, ScriptReply> runOnOneNode(LuaScript script, List<ScriptCall> calls) {
        List<ScriptReply> replies = scripts.runAll(script, calls);
        return IntStream.range(0, calls.size()).boxed().collect(Collectors.toMap(calls::get, replies::get));
    }

    private Map<ScriptCall, ScriptReply> runOnSeveral(LuaScript script, Collection<List<ScriptCall>> parts) {
        Map<ScriptCall, ScriptReply> replies = new HashMap<>();
        List<CompletableFuture<Map<ScriptCall, ScriptReply>>> running =
                parts.stream().map(calls -> start(script, calls)).toList();
        List<RuntimeException> failures = new ArrayList<>();
        for (CompletableFuture<Map<ScriptCall, ScriptReply>> part : running) {
            try {
                replies.putAll(part.join());
            } catch (RuntimeException failure) {
                logger.debug("A node of the Redis cluster does not answer: {}", script.verb(), failure);
                failures.add(failure);
            }
        }
        if (failures.size() == parts.size()) {
            throw new IdempotencyStoreException("Redis failed: " + script.verb(), failures.get(0));
        }
        return replies;
    }

    private CompletableFuture<Map<ScriptCall, ScriptReply>> start(LuaScript script, List<ScriptCall> calls) {
        try {
            return CompletableFuture.supplyAsync(() -> runOnOneNode(script, calls), threads)
                    .orTimeout(timeLimit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TaskRejectedException saturated) {
            return CompletableFuture.failedFuture(saturated);
        }
    }
}
