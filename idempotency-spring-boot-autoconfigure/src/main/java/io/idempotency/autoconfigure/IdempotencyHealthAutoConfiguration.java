package io.idempotency.autoconfigure;

import io.idempotency.actuate.IdempotencyHealthIndicator;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the health of the store,
 * as {@code idempotency} beside the application's other health indicators.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("idempotency")
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class IdempotencyHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "idempotencyHealthIndicator")
    IdempotencyHealthIndicator idempotencyHealthIndicator(
            ConfigurableListableBeanFactory beanFactory, IdempotencyProperties properties) {
        return new IdempotencyHealthIndicator(new StoreInUse(beanFactory, properties.getStoreTimeout()));
    }
}
