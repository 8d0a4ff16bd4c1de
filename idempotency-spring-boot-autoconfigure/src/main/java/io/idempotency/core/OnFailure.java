package io.idempotency.core;

/** What becomes of a key when its execution ends with a failure that is not one of the recorded kinds. */
public enum OnFailure {

    /** The key is free again at once: the next attempt executes. */
    RELEASE,

    /**
     * The failure is the outcome: every retry gets it again and nothing runs. The key is free after a failure that is a
     * refusal of this library, such as a step that found no store: it says nothing final.
     */
    STORE,

    /** Nobody knows whether the effect happened: nobody may retry until an operator resolves it. */
    HOLD
}
