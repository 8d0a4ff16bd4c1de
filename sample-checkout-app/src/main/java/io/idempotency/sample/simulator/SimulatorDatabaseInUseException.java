package io.idempotency.sample.simulator;

/** The simulated systems cannot be started, because another process has the files of their database. */
final class SimulatorDatabaseInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SimulatorDatabaseInUseException(String databaseUrl, Throwable cause) {
        super("The database of the simulated systems is in use: " + databaseUrl, cause);
    }
}
