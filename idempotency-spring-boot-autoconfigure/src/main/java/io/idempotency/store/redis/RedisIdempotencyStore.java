package io.idempotency.store.redis;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepStore;
import io.idempotency.core.StoreProbe;
import io.idempotency.core.StoreWarnings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps records in Redis 6.2 or newer, standalone, behind Sentinel or in a cluster: one key per record, one Lua script
 * per verb, so every verb is one command and atomic. Leases are measured by {@code TIME} of the server, retention by the
 * expiry of the key.
 *
 * <p>It promises one execution at a time while the primary keeps its data: a failover that loses writes, an eviction or
 * a flush forgets records, and what is forgotten is executed again. When memory is full, new claims fail and running
 * ones can still be renewed and ended, provided that Redis evicts nothing ({@code maxmemory-policy noeviction}).
 *
 * <p>Thread-safe. No connection is held between two verbs.
 *
 * @see <a href="https://redis.io/docs/latest/develop/programmability/eval-intro/">Scripting with Lua</a>
 */
public final class RedisIdempotencyStore implements IdempotencyStore, StepStore, StoreWarnings {

    private static final LuaScript CLAIM = LuaScript.of("claim");

    private static final LuaScript RENEW = LuaScript.of("renew");

    private static final LuaScript COMPLETE = LuaScript.of("complete");

    private static final LuaScript RELEASE = LuaScript.of("release");

    private static final LuaScript HOLD = LuaScript.of("hold");

    private static final LuaScript RESOLVE = LuaScript.of("resolve");

    private static final LuaScript FIND = LuaScript.of("find");

    private static final LuaScript STEP = LuaScript.of("step");

    private static final LuaScript RESOLVE_STEP = LuaScript.of("resolve-step");

    private static final Logger logger = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    private static final long FOR_EVER = 0;

    private final ScriptRunner scripts;

    private final Duration storeTimeout;

    private final Duration renewalTimeLimit;

    private final EvictionPolicy evictionPolicy;

    private final String keyPrefix;

    /**
     * @param keyPrefix what the names of all keys begin with; without braces, which would put all keys into one slot of
     *     a cluster
     * @param storeTimeout how long the callers of this store wait for an answer. Lettuce is not let wait for longer, whatever
     *     its own limit is. Renewals on a cluster give up a silent node a little earlier, so that the answers of the other
     *     nodes arrive in time
     * @throws IllegalArgumentException if there is a brace in the prefix
     */
    public RedisIdempotencyStore(RedisConnectionFactory connectionFactory, String keyPrefix, Duration storeTimeout) {
        if (keyPrefix.contains("{") || keyPrefix.contains("}")) {
            throw new IllegalArgumentException("idempotency.redis.key-prefix must not contain braces");
        }
        this.scripts = new ScriptRunner(connectionFactory);
        this.storeTimeout = storeTimeout;
        this.renewalTimeLimit = storeTimeout.multipliedBy(3).dividedBy(4);
        this.evictionPolicy = new EvictionPolicy(connectionFactory);
        this.keyPrefix = keyPrefix;
    }

    /**
     * Asks Redis once, so that connecting is not charged to the time limit of the first claim: on a busy machine a client
     * library needs seconds for it. Waits no longer than the store-timeout, and as long again for the warnings; the client
     * goes on by itself. A Redis that cannot be reached is logged and tried again with the first claim; of one that can, the
     * {@link #warnings() warnings} are logged.
     */
    public void connect() {
        try {
            new StoreProbe(this, storeTimeout).ask().forEach(logger::warn);
        } catch (IdempotencyStoreException failure) {
            logger.warn(
                    "Redis cannot be reached. Until it can, protected operations are refused or run unprotected, as"
                            + " idempotency.on-store-failure says",
                    failure);
        }
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        boolean hold = request.onAbandoned() == OnAbandoned.HOLD;
        ScriptCall call = call(request.identity())
                .with(request.owner())
                .with(request.fingerprint())
                .with(request.lease());
        // What is to be held when abandoned must not be forgotten before somebody looks.
        ScriptCall kept = hold ? call.with(FOR_EVER) : call.with(request.lifetime());
        ScriptReply reply = run(CLAIM, kept.with(hold ? 1 : 0));
        return switch (reply.word()) {
            case "GRANTED" ->
                new ClaimOutcome.Granted(
                        new Claim(request.identity(), request.owner(), reply.number(1), request.lease()),
                        reply.number(2) == 1,
                        StepFields.read(reply, 3));
            case "IN_PROGRESS" -> new ClaimOutcome.InProgress(reply.milliseconds(1));
            case "COMPLETED" -> new ClaimOutcome.Completed(Outcome.ofBytes(reply.bytes(2)), reply.number(1));
            case "MISMATCH" -> new ClaimOutcome.Mismatch();
            case "IN_DOUBT" -> new ClaimOutcome.InDoubt(reply.number(1));
            default -> throw reply.unexpected();
        };
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        if (claims.isEmpty()) {
            return Map.of();
        }
        Map<Claim, ScriptCall> calls = claims.stream()
                .collect(Collectors.toMap(
                        Function.identity(), claim -> call(claim).with(claim.lease())));
        Map<ScriptCall, ScriptReply> replies = scripts.runAll(RENEW, calls.values(), renewalTimeLimit);
        return calls.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, call -> renewal(replies.get(call.getValue()))));
    }

    private static Renewal renewal(@Nullable ScriptReply reply) {
        if (reply == null) {
            return Renewal.BUSY;
        }
        return reply.is("RENEWED") ? Renewal.RENEWED : Renewal.LOST;
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return ownership(COMPLETE, call(claim).with(retention).with(outcome));
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return ownership(RELEASE, call(claim).with(retention));
    }

    @Override
    public Ownership hold(Claim claim) {
        return ownership(HOLD, call(claim));
    }

    private Ownership ownership(LuaScript script, ScriptCall call) {
        return run(script, call).is("OWNED") ? Ownership.OWNED : Ownership.LOST;
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        ScriptCall call = call(identity).with(attempt);
        ScriptCall resolving = resolution instanceof Resolution.Complete complete
                ? call.with(RecordState.COMPLETED.code())
                        .with(complete.retention())
                        .with(complete.outcome())
                : call.with(RecordState.RETRYABLE.code()).with(resolution.retention());
        return run(RESOLVE, resolving).is("RESOLVED");
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        ScriptReply reply = run(FIND, call(identity));
        if (!reply.is("FOUND")) {
            return Optional.empty();
        }
        RecordState state = RecordState.ofCode((int) reply.number(1));
        return Optional.of(new IdempotencyRecord(identity, state, reply.number(2), reply.milliseconds(3)));
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        return ownership(STEP, call(claim).with(step));
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        return ownership(STEP, call(claim).with(step).withNothing());
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        ScriptCall call = call(identity).with(attempt).with(step).with(result);
        return run(RESOLVE_STEP, call).is("RESOLVED");
    }

    /** Warns where {@code maxmemory-policy} lets Redis evict records. */
    @Override
    public List<String> warnings() {
        return evictionPolicy.warnings();
    }

    private ScriptReply run(LuaScript script, ScriptCall call) {
        return scripts.run(script, call, storeTimeout);
    }

    private ScriptCall call(Claim claim) {
        return call(claim.identity()).with(claim.owner());
    }

    /** Begins a call on the key of an identity. The braces let a cluster place the key by the digest alone. */
    private ScriptCall call(Identity identity) {
        return new ScriptCall((keyPrefix + "{" + identity.hex() + "}").getBytes(StandardCharsets.UTF_8));
    }
}
