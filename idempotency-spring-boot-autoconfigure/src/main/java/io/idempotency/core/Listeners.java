package io.idempotency.core;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener, and keeps what a listener throws away from the operation. */
final class Listeners {

    private static final Logger logger = LoggerFactory.getLogger(IdempotencyListener.class);

    private final List<IdempotencyListener> listeners;

    Listeners(List<? extends IdempotencyListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void tell(Consumer<IdempotencyListener> event) {
        for (IdempotencyListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                logger.warn(
                        "{} failed; the operation is not affected",
                        listener.getClass().getName(),
                        failure);
            }
        }
    }
}
