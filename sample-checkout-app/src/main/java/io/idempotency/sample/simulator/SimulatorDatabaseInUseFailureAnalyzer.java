package io.idempotency.sample.simulator;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link SimulatorDatabaseInUseException}. */
class SimulatorDatabaseInUseFailureAnalyzer extends AbstractFailureAnalyzer<SimulatorDatabaseInUseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SimulatorDatabaseInUseException cause) {
        return new FailureAnalysis(
                "The gateway, the invoicing and the mail service cannot be started: another node has the files of their"
                        + " database.",
                "Use those of that node, by its sample.simulators.port or by sample.simulators.url, or keep the tables"
                        + " elsewhere by sample.simulators.database-url.",
                cause);
    }
}
