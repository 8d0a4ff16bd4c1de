package io.idempotency.benchmarks.store;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.testsupport.TestServers;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A store as an application gets it. */
final class OpenedStore implements AutoCloseable {

    private static final String WITHOUT_DATABASE =
            "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private final ConfigurableApplicationContext context;

    private OpenedStore(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static OpenedStore of(String type) {
        return new OpenedStore(new SpringApplicationBuilder(StoreConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties("idempotency.store=" + type, "spring.main.banner-mode=off", "logging.level.root=warn")
                .properties(properties(type).toArray(String[]::new))
                .run());
    }

    private static List<String> properties(String type) {
        return switch (type) {
            case "redis" -> {
                TestServers.Redis server = TestServers.redis();
                yield List.of(
                        "spring.data.redis.host=" + server.host(),
                        "spring.data.redis.port=" + server.port(),
                        WITHOUT_DATABASE);
            }
            case "jdbc" -> {
                TestServers.Postgres server = TestServers.postgres();
                yield List.of(
                        "spring.datasource.url=" + server.url(),
                        "spring.datasource.username=" + server.username(),
                        "spring.datasource.password=" + server.password(),
                        "idempotency.jdbc.initialize-schema=always");
            }
            default -> List.of("idempotency.memory.max-records=10000000", WITHOUT_DATABASE);
        };
    }

    IdempotencyStore store() {
        return context.getBean(IdempotencyStore.class);
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class StoreConfiguration {}
}
