package io.idempotency.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Something is to be protected, but there is no store, or more than one that could be meant. */
final class NoIdempotencyStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable StoreType chosen;

    private final transient StoreCandidates candidates;

    NoIdempotencyStoreException(@Nullable StoreType chosen, StoreCandidates candidates) {
        super("There is no store for protected operations");
        this.chosen = chosen;
        this.candidates = candidates;
    }

    @Nullable
    StoreType chosen() {
        return chosen;
    }

    StoreCandidates candidates() {
        return candidates;
    }
}
