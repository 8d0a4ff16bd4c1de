package io.idempotency.core;

/** What became of one claim in a batch of renewals. */
public enum Renewal {

    /** The lease starts anew. */
    RENEWED,

    /** The claim is not the owner's any more. */
    LOST,

    /**
     * Nothing is known, ask again soon: another transaction holds the record just now, or the part of the store that has
     * it does not answer.
     */
    BUSY
}
