package io.idempotency.faults;

import io.idempotency.core.IdempotencyStore;
import java.util.List;

/**
 * A store with what it stands on.
 *
 * @param ends what is run when it is closed, in this order
 */
record OpenStore(IdempotencyStore store, List<Runnable> ends) implements AutoCloseable {

    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
