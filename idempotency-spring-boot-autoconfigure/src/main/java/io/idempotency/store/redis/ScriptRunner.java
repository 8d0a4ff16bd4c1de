package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStoreException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Runs scripts by their digest, and by their text where Redis has not seen them yet or forgot them.
 *
 * <p>Each run takes a connection from the factory and gives it back. It does not use one that is bound to the calling
 * thread: a command inside the application's {@code MULTI} would be answered after the fact.
 */
final class ScriptRunner {

    private final RedisConnectionFactory connectionFactory;

    ScriptRunner(RedisConnectionFactory connectionFactory) {
        this.connectionFactory = connectionFactory;
    }

    /**
     * Runs a script on one key.
     *
     * @throws IdempotencyStoreException if Redis cannot be reached or refuses
     */
    ScriptReply run(LuaScript script, ScriptCall call) {
        return converse(
                        script,
                        (connection, byDigest) ->
                                Collections.singletonList(evaluate(connection, script, call, byDigest)))
                .get(0);
    }

    /**
     * Runs a script on many keys, in one pipeline of single-key scripts. Running it twice must do no harm: when a server
     * lacks the script, all calls are sent again.
     *
     * @return a reply for each call
     * @throws IdempotencyStoreException if Redis cannot be reached or refuses one of them
     */
    List<ScriptReply> runAll(LuaScript script, List<ScriptCall> calls) {
        return converse(script, (connection, byDigest) -> {
            connection.openPipeline();
            calls.forEach(call -> evaluate(connection, script, call, byDigest));
            return connection.closePipeline();
        });
    }

    /** What is said on one connection. */
    @FunctionalInterface
    private interface Conversation {

        /** Returns the replies of Redis. */
        List<?> hold(RedisConnection connection, boolean byDigest);
    }

    private List<ScriptReply> converse(LuaScript script, Conversation conversation) {
        List<?> replies;
        try {
            replies = byDigestOrText(conversation);
        } catch (RuntimeException failure) {
            // Not only DataAccessException: an exhausted pool and a stopped factory throw others.
            throw new IdempotencyStoreException("Redis failed: " + script.verb(), failure);
        }
        return replies.stream().map(ScriptReply::of).toList();
    }

    private List<?> byDigestOrText(Conversation conversation) {
        try {
            return connected(conversation, true);
        } catch (DataAccessException failure) {
            if (!isScriptMissing(failure)) {
                throw failure;
            }
            return connected(conversation, false);
        }
    }

    private List<?> connected(Conversation conversation, boolean byDigest) {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            return conversation.hold(connection, byDigest);
        }
    }

    /** Sends a script: to the primary, even where the client reads from replicas, since to it every script is a write. */
    private static @Nullable Object evaluate(
            RedisConnection connection, LuaScript script, ScriptCall call, boolean byDigest) {
        byte[][] keyAndArguments = call.keyAndArguments();
        return byDigest
                ? connection.scriptingCommands().evalSha(script.sha1(), ReturnType.MULTI, 1, keyAndArguments)
                : connection.scriptingCommands().eval(script.bytes(), ReturnType.MULTI, 1, keyAndArguments);
    }

    private static boolean isScriptMissing(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && message.contains("NOSCRIPT")) {
                return true;
            }
        }
        return false;
    }
}
