package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the store in memory. It
 * is there only when {@code idempotency.store} says so, never because nothing else is.
 */
@AutoConfiguration(before = IdempotencyAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnIdempotencyStore(StoreType.MEMORY)
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class InMemoryIdempotencyStoreAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean(IdempotencyStore.class)
    InMemoryIdempotencyStore inMemoryIdempotencyStore(IdempotencyProperties properties) {
        return new InMemoryIdempotencyStore(properties.getMemory().getMaxRecords());
    }
}
