package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;

/**
 * Lets the engine record what waits for its store while that can still be reached: when a context ends, it stops the
 * connection factories of Redis before it destroys anything. Not a {@code SmartLifecycle}, which would be made, and would
 * want the engine, in applications that protect nothing.
 */
final class EngineFlush implements Lifecycle, Phased {

    /** After all that calls operations, which stops far above; before connections, which stop at zero. */
    private static final int PHASE = 1;

    private @Nullable IdempotencyTemplate engine;

    private boolean running;

    synchronized void start(IdempotencyTemplate made) {
        engine = made;
        start();
    }

    @Override
    public synchronized void start() {
        running = engine != null;
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (engine != null) {
            engine.flush();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
