package io.idempotencyfaults.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;

public final class FaultyAutoConfigurations {

    private FaultyAutoConfigurations() {}

    @AutoConfiguration
    static final class HiddenAutoConfiguration {}

    @AutoConfiguration
    public static class OpenAutoConfiguration {}

    @AutoConfiguration
    public static final class WithoutSuffix {}

    @AutoConfiguration
    public static final class PublicBeanAutoConfiguration {

        @Bean
        public String text() {
            return "text";
        }
    }

    @AutoConfiguration
    public static final class ConditionalBeanAutoConfiguration {

        @Bean
        @ConditionalOnClass(String.class)
        String text() {
            return "text";
        }
    }

    @AutoConfiguration(afterName = "org.example.RenamedAutoConfiguration")
    public static final class MissingNeighbourAutoConfiguration {}

    @AutoConfiguration(before = DataRedisAutoConfiguration.class)
    public static final class LiteralNeighbourAutoConfiguration {}
}
