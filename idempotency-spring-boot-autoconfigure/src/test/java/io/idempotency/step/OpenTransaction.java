package io.idempotency.step;

import io.idempotency.core.SurroundingTransaction;
import java.util.function.Consumer;

/** A transaction that is open on all threads while a test says so, and over before the work ends. */
final class OpenTransaction implements SurroundingTransaction {

    private volatile boolean active;

    void begin() {
        active = true;
    }

    void end() {
        active = false;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public void afterCompletion(Consumer<End> callback) {
        throw new AssertionError("The transaction ends before the work does");
    }
}
