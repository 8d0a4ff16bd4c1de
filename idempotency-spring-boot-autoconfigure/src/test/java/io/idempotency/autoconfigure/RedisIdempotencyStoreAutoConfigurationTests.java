package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.idempotency.testsupport.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisIdempotencyStoreAutoConfigurationTests {

    private final ApplicationContextRunner withoutRedis = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisIdempotencyStoreAutoConfiguration.class));

    private final ApplicationContextRunner withRedis =
            withoutRedis.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

    @Test
    void theOnlyConnectionFactoryIsTakenWhenNoStoreIsNamed() {
        withRedis.run(context -> assertThat(context).hasSingleBean(RedisIdempotencyStore.class));
    }

    @Test
    void theStoreIsThereWhenItIsNamed() {
        withRedis
                .withPropertyValues("idempotency.store=redis")
                .run(context -> assertThat(context).hasSingleBean(RedisIdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWhenADatabaseCouldBeMeantAsWell() {
        withRedis
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .run(context ->
                        assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWhenAnotherIsNamed() {
        withRedis
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWithoutAConnectionFactory() {
        withoutRedis
                .withPropertyValues("idempotency.store=redis")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWithoutSpringDataRedis() {
        withoutRedis
                .withPropertyValues("idempotency.store=redis")
                .withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWhenTheStarterIsSwitchedOff() {
        withRedis
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void aStoreOfTheUserIsLeftAlone() {
        withRedis
                .withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(1))
                .run(context -> assertThat(context)
                        .hasSingleBean(IdempotencyStore.class)
                        .doesNotHaveBean(RedisIdempotencyStore.class));
    }

    @Test
    void severalConnectionFactoriesAreTooMany() {
        withoutRedis
                .withUserConfiguration(TwoConnectionFactories.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void thePrimaryConnectionFactoryIsTakenAmongSeveral() {
        withoutRedis
                .withUserConfiguration(PrimaryConnectionFactory.class)
                .run(context -> assertThat(context).hasSingleBean(RedisIdempotencyStore.class));
    }

    @Test
    void theMarkedConnectionFactoryIsTakenRatherThanThePrimaryOne() {
        Identity identity =
                Identity.of("marked", "operation", null, UUID.randomUUID().toString());
        withoutRedis.withUserConfiguration(MarkedConnectionFactory.class).run(context -> {
            claimAndRelease(context.getBean(IdempotencyStore.class), identity);

            assertThat(exists(
                            context.getBean("marked", RedisConnectionFactory.class),
                            "idempotency:{" + identity.hex() + "}"))
                    .isTrue();
        });
    }

    @Test
    void aMarkedConnectionFactoryChoosesTheStoreWhereADatabaseCouldBeMeantAsWell() {
        withoutRedis
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withUserConfiguration(MarkedConnectionFactory.class)
                .run(context -> assertThat(context).hasSingleBean(RedisIdempotencyStore.class));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void redisIsAskedOnceTheStoreIsNeededAndMayBeAway(CapturedOutput output) {
        withRedis.withPropertyValues("spring.data.redis.port=1").run(context -> {
            assertThat(output).doesNotContain("Redis cannot be reached");

            assertThat(context.getBean(RedisIdempotencyStore.class)).isNotNull();

            assertThat(output).contains("Redis cannot be reached");
        });
    }

    @Test
    void keysBeginWithTheConfiguredPrefix() {
        Identity identity =
                Identity.of("prefix", "operation", null, UUID.randomUUID().toString());
        withRedis
                .withPropertyValues(
                        "spring.data.redis.host=" + TestServers.redis().host(),
                        "spring.data.redis.port=" + TestServers.redis().port(),
                        "idempotency.redis.key-prefix=shop:")
                .run(context -> {
                    claimAndRelease(context.getBean(IdempotencyStore.class), identity);

                    assertThat(exists(context.getBean(RedisConnectionFactory.class), "shop:{" + identity.hex() + "}"))
                            .isTrue();
                });
    }

    private static void claimAndRelease(IdempotencyStore store, Identity identity) {
        ClaimRequest request =
                ClaimRequest.of(identity, Fingerprint.none(), OwnerToken.random(), OperationPolicy.DEFAULT);
        Claim claim = ((ClaimOutcome.Granted) store.claim(request)).claim();
        assertThat(store.release(claim, Duration.ofMinutes(1))).isEqualTo(Ownership.OWNED);
    }

    private static boolean exists(RedisConnectionFactory connections, String key) {
        try (RedisConnection connection = connections.getConnection()) {
            return Boolean.TRUE.equals(connection.keyCommands().exists(key.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoConnectionFactories {

        @Bean
        LettuceConnectionFactory one() {
            return new LettuceConnectionFactory();
        }

        @Bean
        LettuceConnectionFactory other() {
            return new LettuceConnectionFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryConnectionFactory {

        @Bean
        @Primary
        LettuceConnectionFactory one() {
            return new LettuceConnectionFactory();
        }

        @Bean
        LettuceConnectionFactory other() {
            return new LettuceConnectionFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedConnectionFactory {

        @Bean
        @Primary
        LettuceConnectionFactory primary() {
            return new LettuceConnectionFactory("localhost", 1);
        }

        @Bean
        @IdempotencyRedisConnectionFactory
        LettuceConnectionFactory marked() {
            TestServers.Redis server = TestServers.redis();
            return new LettuceConnectionFactory(server.host(), server.port());
        }
    }
}
