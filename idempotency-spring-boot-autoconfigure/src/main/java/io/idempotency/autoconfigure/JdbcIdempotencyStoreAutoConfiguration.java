package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.jdbc.JdbcDialect;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.StringUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the JDBC store, over the
 * data source that is marked with {@link IdempotencyDataSource}, else the only or the primary one. The store waits for
 * everything that initialises the database, such as Flyway or Liquibase; its own script runs after them and creates only
 * what they did not.
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
@Conditional(JdbcIdempotencyStoreAutoConfiguration.OnDataSource.class)
@EnableConfigurationProperties({IdempotencyProperties.class, JdbcIdempotencyProperties.class})
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class JdbcIdempotencyStoreAutoConfiguration {

    /** The data source of the store; not a bean of type {@code DataSource}, which others would find. */
    record StoreDataSource(DataSource value) {}

    @Bean
    @Lazy
    StoreDataSource idempotencyStoreDataSource(
            ObjectProvider<DataSource> dataSource, @IdempotencyDataSource ObjectProvider<DataSource> qualified) {
        return new StoreDataSource(qualified.getIfAvailable(dataSource::getObject));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JdbcDialect idempotencyJdbcDialect(StoreDataSource dataSource, JdbcIdempotencyProperties properties) {
        String platform = properties.getPlatform();
        return StringUtils.hasText(platform) ? JdbcDialects.of(platform) : JdbcDialects.detect(dataSource.value());
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
    JdbcCleanup idempotencyJdbcCleanup(JdbcIdempotencyProperties properties) {
        return new JdbcCleanup(properties.getCleanup());
    }

    /**
     * Opens the store after its script. The script is run here and not by a bean: Spring Boot would let every use of the
     * database wait for such a bean, in applications too that protect nothing or have a database of another kind.
     */
    @Bean
    @Lazy
    JdbcIdempotencyStore jdbcIdempotencyStore(
            StoreDataSource dataSource,
            JdbcDialect dialect,
            JdbcStoreSettings settings,
            JdbcIdempotencyProperties properties,
            JdbcCleanup cleanup) {
        new JdbcSchemaInitializer(dataSource.value(), dialect.platform(), settings.tablePrefix(), properties)
                .initializeDatabase();
        JdbcIdempotencyStore store = JdbcIdempotencyStore.open(dataSource.value(), dialect, settings);
        cleanup.start(store);
        return store;
    }

    static final class OnDataSource extends AnyNestedCondition {

        OnDataSource() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(annotation = IdempotencyDataSource.class)
        static final class Qualified {}

        @ConditionalOnSingleCandidate(DataSource.class)
        static final class Single {}
    }
}
