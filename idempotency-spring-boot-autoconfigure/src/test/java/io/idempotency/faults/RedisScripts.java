package io.idempotency.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** A Redis whose scripts a test gets into its hands before they are run. */
final class RedisScripts {

    private final Hand hand;

    private RedisScripts(Hand hand) {
        this.hand = hand;
    }

    /** Runs a script, or others in its place. */
    interface Hand {

        /** @param evaluation runs a script with the arguments of the one that was sent */
        @Nullable
        Object run(String script, Function<String, @Nullable Object> evaluation);
    }

    static RedisConnectionFactory of(RedisConnectionFactory redis, Hand hand) {
        return (RedisConnectionFactory) new RedisScripts(hand).around(RedisConnectionFactory.class, redis);
    }

    private Object around(Class<?> type, Object target) {
        return Proxy.newProxyInstance(
                RedisScripts.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConnection", "scriptingCommands" ->
                        around(method.getReturnType(), invoke(target, method, arguments));
                    // Not one of Lettuce, so that batches come by here too.
                    case "getNativeConnection" -> proxy;
                    case "evalSha" ->
                        throw new InvalidDataAccessApiUsageException("NOSCRIPT Scripts are not kept here");
                    case "eval" -> run((RedisScriptingCommands) target, arguments);
                    default -> invoke(target, method, arguments);
                });
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }

    private @Nullable Object run(RedisScriptingCommands commands, Object[] arguments) {
        String script = new String((byte[]) arguments[0], StandardCharsets.UTF_8);
        byte[][] keyAndArguments = (byte[][]) arguments[3];
        return hand.run(
                script,
                text -> commands.eval(text.getBytes(StandardCharsets.UTF_8), ReturnType.MULTI, 1, keyAndArguments));
    }
}
