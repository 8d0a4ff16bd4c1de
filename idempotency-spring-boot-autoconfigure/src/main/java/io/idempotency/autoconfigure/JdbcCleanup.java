package io.idempotency.autoconfigure;

import io.idempotency.core.SweepableStore;
import io.idempotency.core.Sweeper;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.Lifecycle;

/**
 * Sweeps the JDBC store from when it is opened until the context begins to stop. Not a {@code SmartLifecycle}, which would
 * be made, and would want the store, in applications that protect nothing.
 */
final class JdbcCleanup implements Lifecycle, DisposableBean {

    private final JdbcIdempotencyProperties.Cleanup properties;

    private @Nullable Sweeper sweeper;

    /**
     * @throws IllegalArgumentException if a value is out of its limits; the message names the property
     */
    JdbcCleanup(JdbcIdempotencyProperties.Cleanup properties) {
        if (properties.getInterval().isNegative() || properties.getInterval().isZero()) {
            throw new IllegalArgumentException(
                    "idempotency.jdbc.cleanup.interval is " + properties.getInterval() + ", but must be positive");
        }
        if (properties.getBatchSize() <= 0) {
            throw new IllegalArgumentException(
                    "idempotency.jdbc.cleanup.batch-size is " + properties.getBatchSize() + ", but must be positive");
        }
        this.properties = properties;
    }

    /** Begins to sweep, if that is wanted. */
    synchronized void start(SweepableStore store) {
        if (properties.isEnabled()) {
            sweeper = new Sweeper(store, properties.getInterval(), properties.getBatchSize());
            sweeper.start();
        }
    }

    /** Does nothing: without a store there is nothing to begin. */
    @Override
    public void start() {}

    @Override
    public synchronized void stop() {
        if (sweeper != null) {
            sweeper.close();
            sweeper = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return sweeper != null;
    }

    /** For a context that fails before it has begun. */
    @Override
    public void destroy() {
        stop();
    }
}
