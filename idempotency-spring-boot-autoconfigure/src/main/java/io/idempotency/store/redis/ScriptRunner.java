package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.util.ClassUtils;

/**
 * Runs scripts by their digest, and by their text where Redis has not seen them yet or forgot them. They go to the primary
 * even where the client reads from replicas: to a client library every script is a write.
 *
 * <p>Each run takes a connection from the factory and gives it back. It does not use one that is bound to the calling
 * thread: a command inside the application's {@code MULTI} would be answered after the fact.
 */
final class ScriptRunner {

    private static final Logger logger = LoggerFactory.getLogger(ScriptRunner.class);

    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", ScriptRunner.class.getClassLoader());

    private final RedisConnectionFactory connectionFactory;

    ScriptRunner(RedisConnectionFactory connectionFactory) {
        this.connectionFactory = connectionFactory;
    }

    /**
     * Runs a script on one key.
     *
     * @param timeLimit when to give up where the client library lets us: its own limit would keep the thread for longer
     * @throws IdempotencyStoreException if Redis cannot be reached or refuses, or is silent
     */
    ScriptReply run(LuaScript script, ScriptCall call, Duration timeLimit) {
        return connected(
                script,
                connection -> isLettuce(connection)
                        ? Objects.requireNonNull(atOnce(connection, script, List.of(call), timeLimit)
                                .get(call))
                        : ScriptReply.of(byDigestOrText(connection, script, call)));
    }

    /**
     * Runs a script on many keys: all at once by Lettuce, one after the other by any other client library. On a cluster, a
     * node that is down or frozen does not keep the replies of the others from the callers of Lettuce.
     *
     * @param timeLimit when to return with the replies that are there
     * @return the replies; of calls that are missing nobody knows whether they were executed
     * @throws IdempotencyStoreException if nobody knows it of any
     */
    Map<ScriptCall, ScriptReply> runAll(LuaScript script, Collection<ScriptCall> calls, Duration timeLimit) {
        return connected(
                script,
                connection -> isLettuce(connection)
                        ? atOnce(connection, script, calls, timeLimit)
                        : oneByOne(connection, script, calls, timeLimit));
    }

    private static boolean isLettuce(RedisConnection connection) {
        return LETTUCE && LettuceScripts.isLettuce(connection.getNativeConnection());
    }

    private static Map<ScriptCall, ScriptReply> atOnce(
            RedisConnection connection, LuaScript script, Collection<ScriptCall> calls, Duration timeLimit) {
        return new LettuceScripts(connection.getNativeConnection(), script).run(calls, timeLimit);
    }

    private static Map<ScriptCall, ScriptReply> oneByOne(
            RedisConnection connection, LuaScript script, Collection<ScriptCall> calls, Duration timeLimit) {
        long deadline = System.nanoTime() + timeLimit.toNanos();
        Map<ScriptCall, ScriptReply> replies = new HashMap<>();
        RuntimeException lastFailure = null;
        for (ScriptCall call : calls) {
            if (System.nanoTime() - deadline > 0) {
                break;
            }
            try {
                replies.put(call, ScriptReply.of(byDigestOrText(connection, script, call)));
            } catch (RuntimeException failure) {
                logger.debug("One of {} calls has failed", calls.size(), failure);
                lastFailure = failure;
            }
        }
        if (replies.isEmpty() && lastFailure != null) {
            throw lastFailure;
        }
        return replies;
    }

    private <T extends @Nullable Object> T connected(LuaScript script, Function<RedisConnection, T> conversation) {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            return conversation.apply(connection);
        } catch (IdempotencyStoreException failure) {
            throw failure;
        } catch (RuntimeException failure) {
            // Not only DataAccessException: an exhausted pool and a stopped factory throw others.
            throw new IdempotencyStoreException("Redis failed: " + script.verb(), failure);
        }
    }

    private static @Nullable Object byDigestOrText(RedisConnection connection, LuaScript script, ScriptCall call) {
        RedisScriptingCommands commands = connection.scriptingCommands();
        byte[][] keyAndArguments = call.keyAndArguments();
        try {
            return commands.evalSha(script.sha1(), ReturnType.MULTI, 1, keyAndArguments);
        } catch (DataAccessException failure) {
            if (!isScriptMissing(failure)) {
                throw failure;
            }
            return commands.eval(script.bytes(), ReturnType.MULTI, 1, keyAndArguments);
        }
    }

    static boolean isScriptMissing(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && message.contains("NOSCRIPT")) {
                return true;
            }
        }
        return false;
    }
}
