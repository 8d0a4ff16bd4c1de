package io.idempotency.autoconfigure;

import io.idempotency.core.OnStoreFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/** The properties under {@code idempotency}. */
@ConfigurationProperties("idempotency")
public class IdempotencyProperties {

    /**
     * Whether operations are protected. When switched off, every operation runs straight through.
     */
    private boolean enabled = true;

    /**
     * Store of the outcomes. When not set, the only candidate among a single DataSource and a single
     * RedisConnectionFactory is taken.
     */
    private @Nullable StoreType store;

    /**
     * Name that tells applications apart that share a store. When not set, "spring.application.name" is used, and
     * "application" where that is not set either.
     */
    private @Nullable String namespace;

    /**
     * How long an outcome is replayed, counted from its recording.
     */
    private Duration retention = Duration.ofHours(24);

    /**
     * How long a claim lives without renewal. Retries are refused so long after a crash.
     */
    private Duration lease = Duration.ofSeconds(30);

    /**
     * How long a claim is renewed at the most while its work runs.
     */
    private Duration maxDuration = Duration.ofMinutes(15);

    /**
     * How long a duplicate waits for the running execution before it is refused.
     */
    private Duration wait = Duration.ZERO;

    /**
     * How many duplicates may wait at the same time. The rest is refused at once.
     */
    private int maxWaiters = 64;

    /**
     * What a call does when the store cannot be reached.
     */
    private OnStoreFailure onStoreFailure = OnStoreFailure.REJECT;

    /**
     * How long the store may be silent before it counts as unreachable.
     */
    private Duration storeTimeout = Duration.ofSeconds(2);

    /**
     * Largest return value that is recorded. The outcome of a larger one cannot be replayed.
     */
    private DataSize maxOutcomeSize = DataSize.ofMegabytes(1);

    private final Redis redis = new Redis();

    private final Memory memory = new Memory();

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public @Nullable StoreType getStore() {
        return store;
    }

    public void setStore(@Nullable StoreType store) {
        this.store = store;
    }

    public @Nullable String getNamespace() {
        return namespace;
    }

    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    public Duration getRetention() {
        return retention;
    }

    public void setRetention(Duration retention) {
        this.retention = retention;
    }

    public Duration getLease() {
        return lease;
    }

    public void setLease(Duration lease) {
        this.lease = lease;
    }

    public Duration getMaxDuration() {
        return maxDuration;
    }

    public void setMaxDuration(Duration maxDuration) {
        this.maxDuration = maxDuration;
    }

    public Duration getWait() {
        return wait;
    }

    public void setWait(Duration wait) {
        this.wait = wait;
    }

    public int getMaxWaiters() {
        return maxWaiters;
    }

    public void setMaxWaiters(int maxWaiters) {
        this.maxWaiters = maxWaiters;
    }

    public OnStoreFailure getOnStoreFailure() {
        return onStoreFailure;
    }

    public void setOnStoreFailure(OnStoreFailure onStoreFailure) {
        this.onStoreFailure = onStoreFailure;
    }

    public Duration getStoreTimeout() {
        return storeTimeout;
    }

    public void setStoreTimeout(Duration storeTimeout) {
        this.storeTimeout = storeTimeout;
    }

    public DataSize getMaxOutcomeSize() {
        return maxOutcomeSize;
    }

    public void setMaxOutcomeSize(DataSize maxOutcomeSize) {
        this.maxOutcomeSize = maxOutcomeSize;
    }

    public Redis getRedis() {
        return redis;
    }

    public Memory getMemory() {
        return memory;
    }

    /** The properties of the Redis store. */
    public static class Redis {

        /**
         * Prefix of the names of the keys.
         */
        private String keyPrefix = "idempotency:";

        public String getKeyPrefix() {
            return keyPrefix;
        }

        public void setKeyPrefix(String keyPrefix) {
            this.keyPrefix = keyPrefix;
        }
    }

    /** The properties of the memory store. */
    public static class Memory {

        /**
         * How many records are kept. Claims are refused when all of them are needed.
         */
        private int maxRecords = 10_000;

        public int getMaxRecords() {
            return maxRecords;
        }

        public void setMaxRecords(int maxRecords) {
            this.maxRecords = maxRecords;
        }
    }
}
