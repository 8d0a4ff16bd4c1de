package io.idempotency.autoconfigure;

import io.idempotency.interceptor.InvalidIdempotentMethodException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link InvalidIdempotentMethodException}, whose message has the remedy of each method. */
class InvalidIdempotentMethodFailureAnalyzer extends AbstractFailureAnalyzer<InvalidIdempotentMethodException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidIdempotentMethodException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Change each method as said above, or remove the annotation where nothing needs to be protected.",
                cause);
    }
}
