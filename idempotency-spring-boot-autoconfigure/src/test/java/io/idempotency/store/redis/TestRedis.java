package io.idempotency.store.redis;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.testsupport.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A store in the Redis of the tests, and a look behind its back. */
final class TestRedis implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(30);

    static final Duration LIFETIME = Duration.ofHours(2);

    static final Duration STORE_TIMEOUT = Duration.ofSeconds(20);

    static final String PREFIX = "behind:";

    final LettuceConnectionFactory connections;

    final RedisIdempotencyStore store;

    TestRedis() {
        this(newConnectionFactory());
    }

    TestRedis(RedisTopology topology) {
        this(topology.newConnectionFactory());
    }

    /** @param connections destroyed when this is closed */
    TestRedis(LettuceConnectionFactory connections) {
        this(connections, STORE_TIMEOUT);
    }

    TestRedis(LettuceConnectionFactory connections, Duration storeTimeout) {
        this.connections = connections;
        this.store = new RedisIdempotencyStore(connections, PREFIX, storeTimeout);
    }

    /** Returns a started factory; the caller destroys it. */
    static LettuceConnectionFactory newConnectionFactory() {
        TestServers.Redis server = TestServers.redis();
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
        factory.afterPropertiesSet();
        return factory;
    }

    static Identity newIdentity() {
        return newIdentity("");
    }

    /** @param keyPrefix what the key of the caller begins with */
    static Identity newIdentity(String keyPrefix) {
        return Identity.of("redis", "operation", null, keyPrefix + UUID.randomUUID());
    }

    static ClaimRequest request(Identity identity) {
        return request(identity, LEASE, OnAbandoned.RETRY);
    }

    static ClaimRequest request(Identity identity, Duration lease, OnAbandoned onAbandoned) {
        return new ClaimRequest(identity, Fingerprint.of("asked"), OwnerToken.random(), lease, LIFETIME, onAbandoned);
    }

    Claim granted(Identity identity) {
        return granted(request(identity));
    }

    Claim granted(ClaimRequest request) {
        return grant(request).claim();
    }

    ClaimOutcome.Granted grant(ClaimRequest request) {
        return (ClaimOutcome.Granted) store.claim(request);
    }

    /** A step that the owner of a claim has begun. */
    static StepRecord running(String name, Claim claim) {
        return new StepRecord(
                StepIdentity.of(name, null), StepState.RUNNING, Fingerprint.none(), claim.attempt(), null);
    }

    static byte[] key(Identity identity) {
        return bytes(keyText(identity));
    }

    static String keyText(Identity identity) {
        return PREFIX + "{" + identity.hex() + "}";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    boolean exists(Identity identity) {
        return ask(connection -> connection.keyCommands().exists(key(identity)));
    }

    /** Runs a script past the store. */
    ScriptReply run(LuaScript script, ScriptCall call) {
        return new ScriptRunner(connections).run(script, call, STORE_TIMEOUT);
    }

    <T> T ask(Function<RedisConnection, T> question) {
        try (RedisConnection connection = connections.getConnection()) {
            return question.apply(connection);
        }
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
