package io.idempotency.core;

/** What becomes of a claim whose holder vanished, for example with its JVM, once the lease is over. */
public enum OnAbandoned {

    /** The next caller takes the claim over and executes. */
    RETRY,

    /** The record is in doubt: nobody may retry until an operator resolves it. */
    HOLD
}
