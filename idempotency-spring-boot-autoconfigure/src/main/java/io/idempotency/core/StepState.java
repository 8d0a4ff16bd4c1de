package io.idempotency.core;

/** What is recorded of a step. */
public enum StepState {

    /** It was begun. Unless its attempt goes on, nobody knows whether it had its effect. */
    RUNNING(1),

    /** It was done, and has a result. */
    DONE(2);

    private final int code;

    StepState(int code) {
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
    public static StepState ofCode(int code) {
        for (StepState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("No step state has the code " + code);
    }
}
