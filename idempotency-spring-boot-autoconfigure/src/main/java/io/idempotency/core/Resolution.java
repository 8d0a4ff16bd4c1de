package io.idempotency.core;

import java.time.Duration;

/** What an operator decides about a record that is in doubt. */
public sealed interface Resolution {

    /** How long the record is kept from now on. */
    Duration retention();

    /** The effect did not happen: the next call executes. */
    record Retry(Duration retention) implements Resolution {}

    /** The effect happened, and this is what every retry gets. */
    record Complete(Outcome outcome, Duration retention) implements Resolution {}
}
