package io.idempotency.autoconfigure;

import java.util.Locale;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link NoIdempotencyStoreException}. */
class NoIdempotencyStoreFailureAnalyzer extends AbstractFailureAnalyzer<NoIdempotencyStoreException> {

    private static final String DATABASE = "add a starter for a database (spring-boot-starter-jdbc and its driver)";

    private static final String REDIS = "add spring-boot-starter-data-redis";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoIdempotencyStoreException cause) {
        StoreType chosen = cause.chosen();
        return chosen == null ? unnamed(cause) : named(cause, chosen);
    }

    private static FailureAnalysis unnamed(NoIdempotencyStoreException cause) {
        if (cause.candidates().unnamed().isEmpty()) {
            return new FailureAnalysis(
                    "Operations are to be protected, but there is no store for their outcomes: the application"
                            + " has neither a DataSource nor a RedisConnectionFactory.",
                    "To keep outcomes in a database, %s. To keep them in Redis, %s. For development and tests set"
                                    .formatted(DATABASE, REDIS)
                            + " idempotency.store=memory.",
                    cause);
        }
        return new FailureAnalysis(
                "Operations are to be protected, but the store for their outcomes is ambiguous: the application"
                        + " has " + found(cause.candidates()) + ".",
                "Set idempotency.store=jdbc or idempotency.store=redis. If several beans of the same type could be meant,"
                        + " mark one of them as @Primary.",
                cause);
    }

    private static FailureAnalysis named(NoIdempotencyStoreException cause, StoreType chosen) {
        String name = chosen.name().toLowerCase(Locale.ROOT);
        return new FailureAnalysis(
                "The property idempotency.store is %s, but that store cannot be built: the application has %s."
                        .formatted(name, found(cause.candidates())),
                "If there is none, %s. If there are several, mark one of them as @Primary. Or set idempotency.store to"
                                .formatted(chosen == StoreType.REDIS ? REDIS : DATABASE)
                        + " another store.",
                cause);
    }

    private static String found(StoreCandidates candidates) {
        return "DataSource beans: %d, RedisConnectionFactory beans: %d"
                .formatted(
                        candidates.dataSources().count(),
                        candidates.redisConnectionFactories().count());
    }
}
