package io.idempotency.core;

/** A store that does not forget expired records by itself. */
public interface SweepableStore {

    /**
     * Deletes records that are expired: at most a number of them, never one that is in doubt or whose lease is running.
     * Several nodes may sweep at once.
     *
     * @return how many were deleted; fewer than the limit means that there are no others, or somebody else is at them
     * @throws IdempotencyStoreException if the store cannot be reached or fails
     */
    int sweep(int limit);
}
