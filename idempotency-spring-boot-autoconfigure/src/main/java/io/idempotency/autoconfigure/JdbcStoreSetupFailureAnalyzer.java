package io.idempotency.autoconfigure;

import io.idempotency.store.jdbc.JdbcStoreSetupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link JdbcStoreSetupException}. */
class JdbcStoreSetupFailureAnalyzer extends AbstractFailureAnalyzer<JdbcStoreSetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JdbcStoreSetupException cause) {
        Throwable reason = cause.getCause();
        String description = reason == null ? cause.getMessage() : cause.getMessage() + ": " + reason.getMessage();
        return new FailureAnalysis(description, cause.remedy(), cause);
    }
}
