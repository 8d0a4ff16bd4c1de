package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

/** The servers of {@code compose.yaml} are those that the profiles of the same names look for. */
class ComposeTests {

    private final PropertySourcesPropertyResolver compose = yaml(new FileSystemResource("compose.yaml"));

    @Test
    void postgresIsTheDatabaseOfItsProfile() {
        PropertySourcesPropertyResolver profile = yaml(new ClassPathResource("application-postgres.yml"));
        String database = "services.postgres.environment.POSTGRES_DB";

        assertThat(compose.getProperty("services.postgres.profiles[0]")).isEqualTo("postgres");
        assertThat(compose.getProperty("services.postgres.ports[0]")).isEqualTo("127.0.0.1:5432:5432");
        assertThat(profile.getProperty("spring.datasource.url"))
                .isEqualTo("jdbc:postgresql://localhost:5432/" + compose.getProperty(database));
        assertThat(profile.getProperty("spring.datasource.username"))
                .isEqualTo(compose.getProperty("services.postgres.environment.POSTGRES_USER"));
        assertThat(profile.getProperty("spring.datasource.password"))
                .isEqualTo(compose.getProperty("services.postgres.environment.POSTGRES_PASSWORD"));
    }

    @Test
    void redisIsTheServerOfItsProfileAndForgetsNothing() {
        PropertySourcesPropertyResolver profile = yaml(new ClassPathResource("application-redis.yml"));

        assertThat(compose.getProperty("services.redis.profiles[0]")).isEqualTo("redis");
        assertThat(compose.getProperty("services.redis.ports[0]")).isEqualTo("127.0.0.1:6379:6379");
        assertThat(profile.getProperty("spring.data.redis.host")).isEqualTo("localhost");
        assertThat(profile.getProperty("spring.data.redis.port")).isEqualTo("6379");
        assertThat(compose.getProperty("services.redis.command"))
                .contains("--maxmemory-policy noeviction", "--appendonly yes");
    }

    @Test
    void imagesAreThoseThatSpringBootKnows() {
        assertThat(compose.getProperty("services.postgres.image")).matches("postgres:\\d+");
        assertThat(compose.getProperty("services.redis.image")).matches("redis:\\d+");
    }

    @Test
    void dockerIsLookedForWithTheProfileOnly() {
        PropertySourcesPropertyResolver profile = yaml(new ClassPathResource("application-compose.yml"));

        assertThat(yaml(new ClassPathResource("application.yml")).getProperty("spring.docker.compose.enabled"))
                .isEqualTo("false");
        assertThat(profile.getProperty("spring.docker.compose.enabled")).isEqualTo("true");
    }

    private static PropertySourcesPropertyResolver yaml(Resource resource) {
        MutablePropertySources sources = new MutablePropertySources();
        try {
            for (PropertySource<?> source : new YamlPropertySourceLoader().load("yaml", resource)) {
                sources.addLast(source);
            }
        } catch (IOException missing) {
            throw new AssertionError(resource + " cannot be read", missing);
        }
        return new PropertySourcesPropertyResolver(sources);
    }
}
