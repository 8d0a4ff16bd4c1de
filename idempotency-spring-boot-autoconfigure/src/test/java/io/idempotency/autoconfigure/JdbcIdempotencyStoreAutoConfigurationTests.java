package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class JdbcIdempotencyStoreAutoConfigurationTests extends WithAnH2Database {

    @Test
    void aSingleDataSourceIsEnough() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(IdempotencyStore.class).hasSingleBean(JdbcIdempotencyStore.class);
            assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
        });
    }

    @Test
    void theStoreIsNotOpenedBeforeItIsNeeded() {
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoreOfTheUsersOwnReplacesIt() {
        runner.withBean(IdempotencyStore.class, () -> notCalled(IdempotencyStore.class))
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void anotherChoiceSwitchesItOff() {
        runner.withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void itIsOffWhenEverythingIsOff() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, JdbcIdempotencyStoreAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + url, "idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void itIsOffWithoutTheJdbcModuleOfSpringBoot() {
        runner.withClassLoader(new FilteredClassLoader(DataSourceScriptDatabaseInitializer.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcIdempotencyStore.class));
    }

    @Test
    void theStoreDoesNotWaitForTheConnectionsOfTheApplication() {
        runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    claim(context);
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
                        assertThat(held.isClosed()).isFalse();
                    }
                });
    }

    @Test
    void withPoolSizeZeroTheStoreSharesTheConnectionsOfTheApplication() {
        runner.withPropertyValues(
                        "idempotency.jdbc.pool-size=0",
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=250")
                .run(context -> {
                    assertThat(claim(context)).isInstanceOf(ClaimOutcome.Granted.class);
                    assertThat(sessions()).isEqualTo(1);
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        assertThatExceptionOfType(IdempotencyStoreException.class)
                                .isThrownBy(() -> claim(context));
                        assertThat(held.isClosed()).isFalse();
                    }
                });
    }

    @Test
    void thePoolOfTheStoreEndsWithTheContext() {
        runner.run(context -> {
            claim(context);
            int applications = context.getBean(HikariDataSource.class)
                    .getHikariPoolMXBean()
                    .getTotalConnections();
            assertThat(sessions()).isGreaterThan(applications);
        });

        assertThat(sessions()).isZero();
    }

    private int sessions() {
        return Objects.requireNonNull(
                        database().queryForObject("SELECT COUNT(*) FROM information_schema.sessions", Integer.class))
                - 1;
    }
}
