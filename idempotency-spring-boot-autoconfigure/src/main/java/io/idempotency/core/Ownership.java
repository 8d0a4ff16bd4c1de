package io.idempotency.core;

/** Whether a write after a claim was still the owner's to make. */
public enum Ownership {

    /** The record was still the owner's, and is now as the owner asked. */
    OWNED,

    /** Another holder has taken over, or the record is gone: nothing was written. */
    LOST
}
