package io.idempotency.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Applications with all auto-configurations of this library, and some of those that they go by. */
abstract class WithEveryAutoConfiguration {

    final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(EveryAutoConfiguration.class);

    final ApplicationContextRunner withDatabase = application
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    /** All auto-configurations of this library. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        IdempotencyAutoConfiguration.class,
        IdempotencyHealthAutoConfiguration.class,
        IdempotencyOpenApiAutoConfiguration.class,
        IdempotencyWebAutoConfiguration.class,
        IdempotentMethodAutoConfiguration.class,
        InMemoryIdempotencyStoreAutoConfiguration.class,
        JdbcIdempotencyStoreAutoConfiguration.class,
        RedisIdempotencyStoreAutoConfiguration.class
    })
    static class EveryAutoConfiguration {}
}
