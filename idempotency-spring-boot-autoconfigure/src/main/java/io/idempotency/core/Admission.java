package io.idempotency.core;

/** What the engine says to a call that it does not refuse. */
public sealed interface Admission {

    /** The call must execute and tell how it ended. */
    record Execute(Execution execution) implements Admission {}

    /**
     * The operation ended before; the call is answered with what was recorded.
     *
     * @param identity of the call
     * @param outcome a value: failures, tombstones and unreadable outcomes are thrown instead
     * @param attempt the attempt that recorded it
     */
    record Replay(Identity identity, Outcome outcome, long attempt) implements Admission {}
}
