package io.idempotency.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** A script of the store in Redis that lacks what makes it right. It is broken on its way to the client library. */
enum PlantedScriptFault {
    /** Two scripts instead of one: between them, others find no record either. */
    CLAIM_IS_NOT_ATOMIC("claim", "", "") {
        @Override
        @Nullable
        Object runBroken(RedisScriptingCommands commands, String script, byte[][] keyAndArguments) {
            String reading = script.replace("-- claim", "write = function() end -- claim");
            String writing = script.replace("= read()", "= true, nil");
            return evaluate(
                    commands,
                    isFirstGrant(evaluate(commands, reading, keyAndArguments)) ? writing : script,
                    keyAndArguments);
        }
    },

    FINGERPRINT_IS_NOT_COMPARED("claim", "record.fingerprint ~= fingerprint", "false"),

    TAKEOVER_DOES_NOT_WAIT_FOR_THE_LEASE("claim", "remaining > 0", "false"),

    ATTEMPTS_DO_NOT_COUNT("claim", "record.attempt + 1", "record.attempt"),

    STALE_OWNER_RENEWS("renew", "or record.owner ~= ARGV[1]", ""),

    STALE_OWNER_COMPLETES("complete", "or record.owner ~= owner", ""),

    STALE_OWNER_RELEASES("release", "or record.owner ~= owner", ""),

    STALE_OWNER_HOLDS("hold", "or record.owner ~= owner", ""),

    OUTCOME_IS_LOST("complete", "ARGV[3])", "string.sub(ARGV[3], 1, 2))"),

    COMPLETION_IS_LOST("complete", "COMPLETED, tonumber", "RETRYABLE, tonumber"),

    OUTCOME_EXPIRES_TOO_EARLY("complete", "tonumber(ARGV[2])", "math.floor(tonumber(ARGV[2]) / 4)"),

    LEASE_IS_TOO_SHORT("renew", "tonumber(ARGV[2])", "math.floor(tonumber(ARGV[2]) / 4)"),

    DOUBT_OF_ANOTHER_ATTEMPT_IS_RESOLVED("resolve", "or record.attempt ~= tonumber(ARGV[1])", "");

    private final String verb;

    private final String right;

    private final String wrong;

    /** @param right what is replaced in the script of the verb, by what is wrong */
    PlantedScriptFault(String verb, String right, String wrong) {
        this.verb = verb;
        this.right = right;
        this.wrong = wrong;
    }

    /** Returns Redis as it is to those who use the broken script. */
    RedisConnectionFactory plantIn(RedisConnectionFactory redis) {
        return (RedisConnectionFactory) plantIn(RedisConnectionFactory.class, redis);
    }

    private Object plantIn(Class<?> type, Object target) {
        return Proxy.newProxyInstance(
                PlantedScriptFault.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConnection", "scriptingCommands" ->
                        plantIn(method.getReturnType(), invoke(target, method, arguments));
                    // Not one of Lettuce, so that batches come by here too.
                    case "getNativeConnection" -> proxy;
                    case "evalSha" -> throw new InvalidDataAccessApiUsageException("NOSCRIPT No script was broken yet");
                    case "eval" ->
                        run((RedisScriptingCommands) target, text((byte[]) arguments[0]), (byte[][]) arguments[3]);
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

    private @Nullable Object run(RedisScriptingCommands commands, String script, byte[][] keyAndArguments) {
        return script.contains("\n-- " + verb)
                ? runBroken(commands, script, keyAndArguments)
                : evaluate(commands, script, keyAndArguments);
    }

    @Nullable
    Object runBroken(RedisScriptingCommands commands, String script, byte[][] keyAndArguments) {
        return evaluate(commands, script.replace(right, wrong), keyAndArguments);
    }

    private static @Nullable Object evaluate(RedisScriptingCommands commands, String script, byte[][] keyAndArguments) {
        return commands.eval(script.getBytes(StandardCharsets.UTF_8), ReturnType.MULTI, 1, keyAndArguments);
    }

    private static boolean isFirstGrant(@Nullable Object reply) {
        return reply instanceof List<?> elements
                && elements.get(0) instanceof byte[] word
                && text(word).equals("GRANTED")
                && elements.get(1).equals(1L);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
