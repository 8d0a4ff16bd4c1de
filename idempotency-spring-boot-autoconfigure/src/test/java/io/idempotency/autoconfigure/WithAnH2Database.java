package io.idempotency.autoconfigure;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Applications with a database of their own, and what their store left in it. */
abstract class WithAnH2Database {

    final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

    final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JdbcIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + url);

    int records() {
        return Objects.requireNonNull(
                database().queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class));
    }

    /** A view of the database from outside of every pool. */
    JdbcTemplate database() {
        return new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
    }

    static int records(DataSource dataSource) {
        return Objects.requireNonNull(
                new JdbcTemplate(dataSource).queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class));
    }

    static ClaimOutcome claim(ApplicationContext context) {
        Identity identity =
                Identity.of("test", "operation", null, UUID.randomUUID().toString());
        return context.getBean(IdempotencyStore.class)
                .claim(ClaimRequest.of(identity, Fingerprint.none(), OwnerToken.random(), OperationPolicy.DEFAULT));
    }

    static FailureAnalysis analysis(@Nullable Throwable failure) {
        return Objects.requireNonNull(new JdbcStoreSetupFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
    }

    static <T> T notCalled(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> throw new AssertionError(method);
                }));
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsTheStore {

        @Bean
        String needsTheStore(IdempotencyStore store) {
            return store.toString();
        }
    }
}
