package io.idempotency.sample.simulator;

import java.net.BindException;

/** The simulated systems cannot be started, because something else has their port. */
final class SimulatorPortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int port;

    SimulatorPortInUseException(int port, BindException cause) {
        super("Port " + port + ", which is that of the simulated systems, is in use", cause);
        this.port = port;
    }

    int port() {
        return port;
    }
}
