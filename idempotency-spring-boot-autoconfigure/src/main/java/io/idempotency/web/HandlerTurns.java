package io.idempotency.web;

import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that a request is with, each of which has dispatched it to the next one. Only the last one may be invoked
 * for the request now; all other invocations are calls that a handler makes.
 */
final class HandlerTurns {

    /** Read by every thread that was given the attributes of the request. */
    private volatile @Nullable Entry last;

    private record Entry(
            Optional<HandlerTurn> turn, @Nullable Entry outer) {}

    /** The request was mapped to a handler that is invoked in this turn. */
    void enter(HandlerTurn turn) {
        last = new Entry(Optional.of(turn), last);
    }

    /** The request was mapped to a handler, or to one more dispatch of it, whose invocation is none of the exchange's. */
    void enterOther() {
        last = new Entry(Optional.empty(), last);
    }

    /** The dispatch to the last handler is over. */
    void leave() {
        Entry left = last;
        // The handler that began before the exchange did, such as one that includes others, has not been entered.
        last = left == null ? null : left.outer();
    }

    /** Returns the turn that an invocation is; empty for a call that a handler makes. */
    Optional<HandlerTurn> of(MethodInvocation invocation) {
        Entry current = last;
        return current == null ? Optional.empty() : current.turn().filter(turn -> turn.isOf(invocation));
    }
}
