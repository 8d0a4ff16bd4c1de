package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.jdbc.JdbcDialect;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.StringUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the JDBC store. The store
 * waits for everything that initialises the database, such as Flyway or Liquibase; its own script runs after them and
 * creates only what they did not.
 */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(IdempotencyStore.class)
@ConditionalOnIdempotencyStore(StoreType.JDBC)
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(JdbcIdempotencyProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class JdbcIdempotencyStoreAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JdbcDialect idempotencyJdbcDialect(DataSource dataSource, JdbcIdempotencyProperties properties) {
        String platform = properties.getPlatform();
        return StringUtils.hasText(platform) ? JdbcDialects.of(platform) : JdbcDialects.detect(dataSource);
    }

    @Bean
    @Lazy
    JdbcStoreSettings idempotencyJdbcStoreSettings(
            JdbcIdempotencyProperties properties, IdempotencyProperties idempotency) {
        return new JdbcStoreSettings(
                properties.getTablePrefix(), properties.getPoolSize(), idempotency.getStoreTimeout());
    }

    @Bean
    @Lazy
    @Conditional(OnSchemaInitializationCondition.class)
    JdbcSchemaInitializer idempotencyJdbcSchemaInitializer(
            DataSource dataSource,
            JdbcDialect dialect,
            JdbcStoreSettings settings,
            JdbcIdempotencyProperties properties) {
        return new JdbcSchemaInitializer(dataSource, dialect.platform(), settings.tablePrefix(), properties);
    }

    @Bean
    @Lazy
    JdbcIdempotencyStore jdbcIdempotencyStore(DataSource dataSource, JdbcDialect dialect, JdbcStoreSettings settings) {
        return JdbcIdempotencyStore.open(dataSource, dialect, settings);
    }

    static class OnSchemaInitializationCondition extends OnDatabaseInitializationCondition {

        OnSchemaInitializationCondition() {
            super("Idempotency JDBC", "idempotency.jdbc.initialize-schema");
        }
    }
}
