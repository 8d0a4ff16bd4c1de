package io.idempotency.autoconfigure;

import io.idempotency.core.SweepableStore;
import io.idempotency.core.Sweeper;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.Lifecycle;

/**
 * Sweeps the JDBC store from when it is opened until the context begins to stop, and again when it is started anew. Not a
 * {@code SmartLifecycle}, which would be made, and would want the store, in applications that protect nothing.
 */
final class JdbcCleanup implements Lifecycle, DisposableBean {

    private final JdbcIdempotencyProperties.Cleanup properties;

    private @Nullable SweepableStore store;

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
    synchronized void start(SweepableStore opened) {
        store = opened;
        start();
    }

    /** Goes on after the context was stopped; without an open store there is nothing to begin. */
    @Override
    public synchronized void start() {
        if (store != null && sweeper == null && properties.isEnabled()) {
            sweeper = new Sweeper(store, properties.getInterval(), properties.getBatchSize());
            sweeper.start();
        }
    }

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
