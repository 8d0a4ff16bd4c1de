package io.idempotency.store.redis;

import io.idempotency.core.IdempotencyStoreException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One script on many keys by Lettuce: all calls are sent before the first reply is waited for, over the connection that
 * the factory shares. The pipeline of Spring Data would open a connection for each batch, and a call that fails would
 * take the replies of all others with it.
 */
final class LettuceScripts {

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;

    private final LuaScript script;

    private final Queue<Future<?>> sent = new ConcurrentLinkedQueue<>();

    /** @param nativeConnection one of Lettuce with keys and values of bytes, as Spring Data has it */
    @SuppressWarnings("unchecked")
    LettuceScripts(Object nativeConnection, LuaScript script) {
        this.commands = (RedisClusterAsyncCommands<byte[], byte[]>) nativeConnection;
        this.script = script;
    }

    /** Says whether a native connection is one of Lettuce, to one server or to a cluster. */
    static boolean isLettuce(Object nativeConnection) {
        return nativeConnection instanceof RedisClusterAsyncCommands;
    }

    /**
     * Runs the script for each call.
     *
     * @param timeLimit how long replies are waited for; what is not answered then is given up
     * @return the replies; of calls that are missing nobody knows whether they were executed
     * @throws IdempotencyStoreException if nobody knows it of any
     */
    Map<ScriptCall, ScriptReply> run(Collection<ScriptCall> calls, Duration timeLimit) {
        Map<ScriptCall, CompletableFuture<@Nullable Object>> replies = new LinkedHashMap<>();
        calls.forEach(call -> replies.put(call, send(call)));
        Throwable failure =
                await(CompletableFuture.allOf(replies.values().toArray(CompletableFuture[]::new)), timeLimit);
        sent.forEach(command -> command.cancel(true));
        Map<ScriptCall, ScriptReply> answered = new HashMap<>();
        replies.forEach((call, reply) -> {
            if (reply.isDone() && !reply.isCompletedExceptionally()) {
                answered.put(call, ScriptReply.of(reply.join()));
            }
        });
        if (answered.isEmpty()) {
            throw new IdempotencyStoreException("Redis failed: " + script.verb(), failure);
        }
        return answered;
    }

    private CompletableFuture<@Nullable Object> send(ScriptCall call) {
        return sent(commands.evalsha(script.sha1(), ScriptOutputType.MULTI, call.keys(), call.arguments()))
                .exceptionallyCompose(failure -> ScriptRunner.isScriptMissing(failure)
                        ? sent(commands.eval(script.bytes(), ScriptOutputType.MULTI, call.keys(), call.arguments()))
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<@Nullable Object> sent(RedisFuture<@Nullable Object> command) {
        sent.add(command);
        return command.toCompletableFuture();
    }

    /** Returns why some have failed; {@code null} where none has. */
    private static @Nullable Throwable await(CompletableFuture<Void> all, Duration timeLimit) {
        try {
            all.get(timeLimit.toNanos(), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException failed) {
            return failed.getCause();
        } catch (TimeoutException silent) {
            return silent;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }
}
