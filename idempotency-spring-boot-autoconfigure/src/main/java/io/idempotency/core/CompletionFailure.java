package io.idempotency.core;

import java.util.concurrent.CompletionException;

/** What a stage of a computation failed with. A stage that depends on the one that failed is told of it in a wrapper. */
public final class CompletionFailure {

    private CompletionFailure() {}

    /** Returns what was thrown itself, without the {@link CompletionException} around it. */
    public static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
