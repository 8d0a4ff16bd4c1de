package io.idempotency.core;

/** What a call does when the store cannot be reached in time to claim. */
public enum OnStoreFailure {

    /** The call is refused and nothing runs. */
    REJECT,

    /**
     * The call runs without protection; this is logged and told to every listener. A transactional operation is refused all
     * the same: its record would be missing beside its rows.
     */
    PROCEED
}
