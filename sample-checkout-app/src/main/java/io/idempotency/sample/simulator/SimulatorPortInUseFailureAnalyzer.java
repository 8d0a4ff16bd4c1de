package io.idempotency.sample.simulator;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link SimulatorPortInUseException}. */
class SimulatorPortInUseFailureAnalyzer extends AbstractFailureAnalyzer<SimulatorPortInUseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SimulatorPortInUseException cause) {
        return new FailureAnalysis(
                "The gateway, the invoicing and the mail service cannot be started: port " + cause.port()
                        + " is in use, and not by those of another node.",
                "Stop what listens there, choose another port by sample.simulators.port, or name where they run already"
                        + " by sample.simulators.url.",
                cause);
    }
}
