package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
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

    private static final Duration LONGEST_BY_ITSELF = Duration.ofSeconds(30);

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

    /**
     * Lets Lettuce connect again soon, so that the first call after Redis came back is answered. By itself it waits twice as
     * long after each failure, up to half a minute, and whoever calls in the meantime runs into the time limit of the store.
     * A customizer of the application has the last word.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ClientResources.class, ClientResourcesBuilderCustomizer.class})
    static class Reconnection {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ClientResourcesBuilderCustomizer idempotencyClientResourcesBuilderCustomizer(IdempotencyProperties properties) {
            Duration inTime = properties.getStoreTimeout().dividedBy(4);
            Duration longest = inTime.compareTo(LONGEST_BY_ITSELF) < 0 ? inTime : LONGEST_BY_ITSELF;
            return resources ->
                    resources.reconnectDelay(Delay.exponential(Duration.ZERO, longest, 2, TimeUnit.MILLISECONDS));
        }
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
