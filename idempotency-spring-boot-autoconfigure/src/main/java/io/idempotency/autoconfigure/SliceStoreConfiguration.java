package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The store of a test of a slice. */
@Configuration(proxyBeanMethods = false)
class SliceStoreConfiguration {

    @Bean
    IdempotencyStore idempotencyStore() {
        return new InMemoryIdempotencyStore(new IdempotencyProperties.Memory().getMaxRecords());
    }
}
