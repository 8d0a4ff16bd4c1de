package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the store in Redis, over
 * the application's own connection factory: the one marked with {@link IdempotencyRedisConnectionFactory}, else the only
 * or the primary one.
 */
@AutoConfiguration(
        before = IdempotencyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnIdempotencyStore(StoreType.REDIS)
@Conditional(RedisIdempotencyStoreAutoConfiguration.OnConnectionFactory.class)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class RedisIdempotencyStoreAutoConfiguration {

    @Bean(initMethod = "connect")
    @Lazy
    @ConditionalOnMissingBean(IdempotencyStore.class)
    RedisIdempotencyStore redisIdempotencyStore(
            ObjectProvider<RedisConnectionFactory> connectionFactory,
            @IdempotencyRedisConnectionFactory ObjectProvider<RedisConnectionFactory> qualified,
            IdempotencyProperties properties) {
        return new RedisIdempotencyStore(
                qualified.getIfAvailable(connectionFactory::getObject),
                properties.getRedis().getKeyPrefix(),
                properties.getStoreTimeout());
    }

    static final class OnConnectionFactory extends AnyNestedCondition {

        OnConnectionFactory() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(annotation = IdempotencyRedisConnectionFactory.class)
        static final class Qualified {}

        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        static final class Single {}
    }
}
