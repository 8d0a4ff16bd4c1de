package io.idempotency.autoconfigure;

import java.util.Locale;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link NoIdempotencyStoreException}. */
class NoIdempotencyStoreFailureAnalyzer extends AbstractFailureAnalyzer<NoIdempotencyStoreException> {

    private static final String DATABASE = "add a starter for a database (spring-boot-starter-jdbc and its driver)";

    private static final String REDIS = "add spring-boot-starter-data-redis";

    private static final String MARK =
            "mark the one to use with @IdempotencyDataSource or @IdempotencyRedisConnectionFactory, or as @Primary";

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
                "Set idempotency.store=jdbc or idempotency.store=redis. If several beans of the same type could be meant, "
                        + MARK + ".",
                cause);
    }

    private static FailureAnalysis named(NoIdempotencyStoreException cause, StoreType chosen) {
        String name = chosen.name().toLowerCase(Locale.ROOT);
        return new FailureAnalysis(
                "The property idempotency.store is %s, but that store cannot be built: the application has %s."
                        .formatted(name, found(cause.candidates())),
                "If there is none, %s. If there are several, %s. Or set idempotency.store to another store."
                        .formatted(chosen == StoreType.REDIS ? REDIS : DATABASE, MARK),
                cause);
    }

    private static String found(StoreCandidates candidates) {
        return "DataSource beans: %d, RedisConnectionFactory beans: %d"
                .formatted(
                        candidates.dataSources().count(),
                        candidates.redisConnectionFactories().count());
    }
}
