package io.idempotency.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.StoreProbe;
import io.idempotency.core.StoreWarnings;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.idempotency.testsupport.RedisProcess;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class IdempotencyHealthIndicatorTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(5);

    private final RedisProcess server = RedisProcess.start();

    private final LettuceConnectionFactory connections = new LettuceConnectionFactory(server.host(), server.port());

    private final RedisIdempotencyStore store = new RedisIdempotencyStore(connections, "health:", STORE_TIMEOUT);

    @BeforeEach
    void connect() {
        connections.afterPropertiesSet();
        store.connect();
    }

    @AfterEach
    void close() {
        connections.destroy();
        server.close();
    }

    @Test
    void aStoreThatAnswersIsUp() {
        Health health = health(new InMemoryIdempotencyStore(1));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).isEmpty();
    }

    @Test
    void whatTheStoreWarnsOfIsADetail() {
        server.ask("CONFIG", "SET", "maxmemory", "100mb");
        server.ask("CONFIG", "SET", "maxmemory-policy", "volatile-lru");

        Health health = health(store);

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .extractingByKey("warnings", InstanceOfAssertFactories.list(String.class))
                .singleElement()
                .asString()
                .contains("volatile-lru", "noeviction");
    }

    @Test
    void aStoreThatMayNotTellItsWarningsIsUp() {
        server.ask("ACL", "SETUSER", "default", "-info");

        Health health = health(store);

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).isEmpty();
    }

    @Test
    void aStoreThatFailsToTellItsWarningsIsUp() {
        InMemoryIdempotencyStore records = new InMemoryIdempotencyStore(1);
        IdempotencyStore untold = (IdempotencyStore) Proxy.newProxyInstance(
                StoreWarnings.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class, StoreWarnings.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("warnings")) {
                        throw new IllegalStateException("planted");
                    }
                    return method.invoke(records, arguments);
                });

        assertThat(health(untold).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void aStoreThatCannotBeReachedIsDown() {
        server.kill();

        assertThat(health(store).getStatus()).isEqualTo(Status.DOWN);
    }

    /** The client library would wait for a minute. */
    @Test
    @Timeout(30)
    void aFrozenStoreIsDownWithinTheTimeLimit() {
        assertThat(health(store).getStatus()).isEqualTo(Status.UP);
        server.freeze();

        assertThat(health(store).getStatus()).isEqualTo(Status.DOWN);

        server.thaw();
    }

    @Test
    void aStoreThatAnswersAgainIsUpAgain() {
        IdempotencyHealthIndicator indicator = indicator(store);
        server.freeze();
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);

        server.thaw();

        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void aStoreThatNobodyNeedsIsUnknown() {
        Health health = new IdempotencyHealthIndicator(Optional::empty).health();

        assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health.getDetails()).isEqualTo(Map.of("store", "not needed so far"));
    }

    private static Health health(IdempotencyStore store) {
        return indicator(store).health();
    }

    private static IdempotencyHealthIndicator indicator(IdempotencyStore store) {
        StoreProbe probe = new StoreProbe(store, STORE_TIMEOUT);
        return new IdempotencyHealthIndicator(() -> Optional.of(probe));
    }
}
