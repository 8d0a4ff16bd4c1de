package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.autoconfigure.RedisIdempotencyStoreAutoConfiguration;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A Redis that is down for so long that Lettuce, left to itself, would wait for many seconds before it connects again. */
@Tag("faults")
@Tag("faults-long")
class RedisOutageTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration OUTAGE = Duration.ofSeconds(10);

    @Test
    void theFirstCallAfterALongOutageWorks() {
        try (TcpProxy proxy = StoreAddress.Kind.REDIS.address().newProxy()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            DataRedisAutoConfiguration.class, RedisIdempotencyStoreAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.data.redis.host=" + proxy.host(), "spring.data.redis.port=" + proxy.port())
                    .run(context -> assertThatTheFirstCallWorks(context.getBean(IdempotencyStore.class), proxy));
        }
    }

    private static void assertThatTheFirstCallWorks(IdempotencyStore store, TcpProxy proxy) {
        try (IdempotencyTemplate engine = Operation.engine(store, STORE_TIMEOUT)) {
            proxy.refuse();
            long down = System.nanoTime();
            while (System.nanoTime() - down < OUTAGE.toNanos()) {
                assertThatThrownBy(() -> call(engine)).isInstanceOf(IdempotencyStoreException.class);
            }
            proxy.comeBack();

            assertThat(call(engine)).isEqualTo("ran");
        }
    }

    private static String call(IdempotencyTemplate engine) {
        return new Operation(OperationPolicy.DEFAULT)
                .call(engine, Duration.ZERO, () -> "ran")
                .value();
    }
}
