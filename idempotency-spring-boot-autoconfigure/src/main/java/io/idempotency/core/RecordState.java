package io.idempotency.core;

/** The states of a record. The codes are part of every store's layout and never change their meaning. */
public enum RecordState {

    /** Somebody holds the claim. */
    IN_PROGRESS(1),

    /** An outcome is recorded. */
    COMPLETED(2),

    /** An attempt ended without an outcome: the next call executes. */
    RETRYABLE(3),

    /** Nobody may execute until an operator resolves the record. */
    IN_DOUBT(4);

    private final int code;

    RecordState(int code) {
        this.code = code;
    }

    /** Returns the number that stores keep. */
    public int code() {
        return code;
    }

    /**
     * Returns the state with this code.
     *
     * @throws IllegalArgumentException if there is none, as in a record that a newer version wrote
     */
    public static RecordState ofCode(int code) {
        for (RecordState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("No record state has the code " + code);
    }
}
