package io.idempotency.step;

import io.idempotency.core.ThreadBinding;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The step that is running. It is bound to the thread of its work only. */
public final class StepContext {

    private static final ThreadLocal<@Nullable StepContext> CURRENT = new ThreadLocal<>();

    private final String name;

    private final UUID key;

    private final long attempt;

    private volatile boolean withoutEffect;

    StepContext(String name, UUID key, long attempt) {
        this.name = name;
        this.key = key;
        this.attempt = attempt;
    }

    /** Returns the innermost step that is running on this thread; empty where none is. */
    public static Optional<StepContext> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Returns the name of the step. */
    public String name() {
        return name;
    }

    /**
     * Returns the key to call another system with: a UUID that is the same in every attempt of this step and differs for every
     * other. It does not show the key that the operation was called with, but is an unsalted digest of it, so who knows the
     * names of the operation and the step can test a guess of it. Where idempotency is switched off, it is random.
     */
    public String key() {
        return key.toString();
    }

    /** Returns the number of the attempt of the operation, for use as a fencing token; 0 where nothing is recorded. */
    public long attempt() {
        return attempt;
    }

    /**
     * Says that the step had no effect, before it throws: as when a card is declined. A step that must not be repeated may
     * then be run again, and its failure leaves no doubt.
     */
    public void hadNoEffect() {
        withoutEffect = true;
    }

    boolean isWithoutEffect() {
        return withoutEffect;
    }

    /** Runs work in this step. */
    <T extends @Nullable Object, E extends Throwable> T call(StepWork<T, E> work) throws E {
        return ThreadBinding.<StepContext, T, E>call(CURRENT, this, () -> work.run(this));
    }
}
