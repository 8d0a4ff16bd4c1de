package io.idempotency.sample.simulator;

/**
 * The reply of a simulated system.
 *
 * @param body what becomes its JSON
 */
record Reply(int status, Object body) {

    /** The connection is closed without a word: the caller cannot know whether anything happened. */
    static final Reply LOST = new Reply(0, "");

    boolean isLost() {
        return status == LOST.status;
    }

    static Reply ok(Object body) {
        return new Reply(200, body);
    }

    static Reply refused(int status, String reason) {
        return new Reply(status, new Refusal(reason));
    }

    /** Why a request was refused. */
    record Refusal(String error) {}
}
