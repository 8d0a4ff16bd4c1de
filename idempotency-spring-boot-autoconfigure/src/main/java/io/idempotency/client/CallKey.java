package io.idempotency.client;

import io.idempotency.core.IdempotentWork;
import io.idempotency.core.ThreadBinding;
import io.idempotency.step.StepContext;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key of one logical call of another system, which may take several requests. Only the caller knows where
 * such a call begins, so it is said there, outside of all retries:
 *
 * <pre>{@code
 * Receipt receipt = CallKey.random().call(() -> retries.invoke(() -> gateway.charge(order)));
 * }</pre>
 *
 * <p>An {@link IdempotencyKeyInterceptor} sends it with the requests that the work makes on the same thread. A step that
 * begins inside of the work has a key of its own, which comes before this one. Requests to several systems, or several
 * requests that are not retries of one another, need a key each. Immutable.
 */
public final class CallKey {

    /** What a server can be expected to accept, whether the key is quoted or not: the limits of this library's own door. */
    private static final Pattern ACCEPTED = Pattern.compile("(?!.*[\",])[!-~]([ -~]{0,253}[!-~])?");

    private static final ThreadLocal<@Nullable Bound> CURRENT = new ThreadLocal<>();

    private final String value;

    private CallKey(String value) {
        this.value = value;
    }

    /**
     * Returns a key that the caller chose, such as the identifier of an order. It is the better choice where the call may
     * be made again after a crash.
     *
     * @param value up to 255 printable ASCII characters without quotes and commas, that neither begin nor end with a space
     * @throws IllegalArgumentException if it cannot be sent in a header; the message does not show it
     */
    public static CallKey of(String value) {
        if (!ACCEPTED.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "A key must have 1 to 255 printable ASCII characters, no quotes, no commas and no space at its ends");
        }
        return new CallKey(value);
    }

    /** Returns a new random UUID, which lives as long as the work. */
    public static CallKey random() {
        return new CallKey(UUID.randomUUID().toString());
    }

    /** Returns the key of what is running on this thread: of the innermost call or step; empty outside of both. */
    static Optional<String> current() {
        Bound bound = CURRENT.get();
        Optional<StepContext> step = StepContext.current();
        if (bound != null && bound.surroundingStep() == step.orElse(null)) {
            return Optional.of(bound.value());
        }
        return step.map(StepContext::key);
    }

    /** Does the work, all of whose requests are one call. Nested calls have the innermost key. */
    public <T extends @Nullable Object, E extends Throwable> T call(IdempotentWork<? extends T, E> work) throws E {
        return ThreadBinding.<Bound, T, E>call(
                CURRENT, new Bound(value, StepContext.current().orElse(null)), work::run);
    }

    /** Does work that returns nothing, as {@link #call} does. */
    public void run(Runnable work) {
        call(() -> {
            work.run();
            return value;
        });
    }

    /**
     * A key on its thread.
     *
     * @param surroundingStep the step that was running when the call began; another one has begun inside of the call
     */
    private record Bound(String value, @Nullable StepContext surroundingStep) {}
}
