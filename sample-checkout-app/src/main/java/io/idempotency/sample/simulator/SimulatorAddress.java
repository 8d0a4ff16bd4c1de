package io.idempotency.sample.simulator;

import java.net.URI;

/** Where the simulated systems answer. */
public record SimulatorAddress(URI url) {}
