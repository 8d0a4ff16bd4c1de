package io.idempotency.core;

/** What became of one claim in a batch of renewals. */
public enum Renewal {

    /** The lease starts anew. */
    RENEWED,

    /** The claim is not the owner's any more. */
    LOST,

    /** Another transaction holds the record just now: nothing is known, ask again soon. */
    BUSY
}
