package io.idempotency.testsupport;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The one place where tests find their servers. A server is started when the first test asks for it, serves all tests of
 * the JVM and ends with it. Where it comes from is decided in this order:
 *
 * <ol>
 *   <li>the environment: {@code IDEMPOTENCY_TEST_REDIS} ({@code host:port}), {@code IDEMPOTENCY_TEST_POSTGRES} (JDBC URL)
 *       with {@code IDEMPOTENCY_TEST_POSTGRES_USERNAME} and {@code IDEMPOTENCY_TEST_POSTGRES_PASSWORD},
 *       {@code IDEMPOTENCY_TEST_MARIADB} and {@code IDEMPOTENCY_TEST_MYSQL} ({@code host:port}), each with
 *       {@code …_USERNAME} and {@code …_PASSWORD};
 *   <li>a container, where a Docker engine answers;
 *   <li>a server binary from a Maven artifact. There is none of MySQL.
 * </ol>
 *
 * <p>Beside the Redis of that order there is one of each kind that the store must do with.
 */
public final class TestServers {

    private static final Logger logger = LoggerFactory.getLogger(TestServers.class);

    private static final int REDIS_PORT = 6379;

    /** The default of 10 seconds is short on a busy machine. */
    private static final Duration SLOW_START = Duration.ofMinutes(1);

    private TestServers() {}

    /** A Redis without a password. */
    public record Redis(String host, int port) {}

    /** A PostgreSQL database whose user may create tables. */
    public record Postgres(String url, String username, String password) {}

    public static Redis redis() {
        return RedisHolder.SERVER;
    }

    public static Postgres postgres() {
        return PostgresHolder.SERVER;
    }

    public static MariaDbServer mariaDb() {
        return MariaDbHolder.SERVER;
    }

    /** Returns a MySQL; empty where neither the environment names one nor a Docker engine has its image. */
    public static Optional<MariaDbServer> mySql() {
        return MySqlHolder.SERVER;
    }

    /** A Redis 6.2, the oldest that the store must do with. */
    public static Redis redis62() {
        return Redis62Holder.SERVER;
    }

    /**
     * A Redis 7 or newer: the one of the environment, a container, or a {@code redis-server} that is installed; empty
     * where there is none of these.
     */
    public static Optional<Redis> redis7() {
        return Redis7Holder.SERVER;
    }

    /** Three primaries of version 6.2. */
    public static RedisCluster redisCluster() {
        return RedisClusterHolder.SERVERS;
    }

    /** A primary, its replica and a sentinel of version 6.2; it does not fail over by itself. */
    public static RedisSentinel redisSentinel() {
        return RedisSentinelHolder.SERVERS;
    }

    private static final class MariaDbHolder {
        static final MariaDbServer SERVER = MariaDbServer.findMariaDb();
    }

    private static final class MySqlHolder {
        static final Optional<MariaDbServer> SERVER = MariaDbServer.findMySql();
    }

    private static final class GivenRedisHolder {
        static final Optional<Redis> SERVER = findGivenRedis();
    }

    private static final class Redis62Holder {
        static final Redis SERVER = start(RedisExecutable.embedded());
    }

    private static final class Redis7Holder {
        static final Optional<Redis> SERVER =
                GivenRedisHolder.SERVER.or(() -> RedisExecutable.installed(7).map(TestServers::start));
    }

    private static final class RedisClusterHolder {
        static final RedisCluster SERVERS = RedisCluster.start(3);
    }

    private static final class RedisSentinelHolder {
        static final RedisSentinel SERVERS = RedisSentinel.start(Duration.ofHours(1));
    }

    private static final class RedisHolder {
        static final Redis SERVER = GivenRedisHolder.SERVER.orElseGet(TestServers::redis62);
    }

    private static final class PostgresHolder {
        static final Postgres SERVER = findPostgres();
    }

    private static Optional<Redis> findGivenRedis() {
        String address = System.getenv("IDEMPOTENCY_TEST_REDIS");
        if (address != null) {
            logger.info("Tests use the Redis that the environment names");
            URI uri = URI.create("redis://" + address);
            return Optional.of(new Redis(uri.getHost(), uri.getPort() < 0 ? REDIS_PORT : uri.getPort()));
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            logger.info("Tests use a Redis container");
            GenericContainer<?> container = new GenericContainer<>("redis:7").withExposedPorts(REDIS_PORT);
            container.start();
            atExit(container::stop);
            return Optional.of(new Redis(container.getHost(), container.getMappedPort(REDIS_PORT)));
        }
        return Optional.empty();
    }

    private static Redis start(RedisExecutable executable) {
        RedisProcess server = RedisProcess.start(executable, List.of("save \"\""));
        return new Redis(server.host(), server.port());
    }

    private static Postgres findPostgres() {
        String url = System.getenv("IDEMPOTENCY_TEST_POSTGRES");
        if (url != null) {
            logger.info("Tests use the PostgreSQL that the environment names");
            return new Postgres(
                    url,
                    System.getenv().getOrDefault("IDEMPOTENCY_TEST_POSTGRES_USERNAME", "postgres"),
                    System.getenv().getOrDefault("IDEMPOTENCY_TEST_POSTGRES_PASSWORD", ""));
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            logger.info("Tests use a PostgreSQL container");
            PostgreSQLContainer container = new PostgreSQLContainer("postgres:15");
            container.start();
            atExit(container::stop);
            return new Postgres(container.getJdbcUrl(), container.getUsername(), container.getPassword());
        }
        logger.info("Tests use an embedded PostgreSQL");
        return startEmbeddedPostgres();
    }

    private static Postgres startEmbeddedPostgres() {
        try {
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder().setPGStartupWait(SLOW_START).start();
            atExit(server::close);
            return new Postgres(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres");
        } catch (IOException failure) {
            throw new UncheckedIOException("The embedded PostgreSQL does not start", failure);
        }
    }

    @FunctionalInterface
    interface Stop {
        void run() throws IOException;
    }

    static void atExit(Stop stop) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                stop.run();
                            } catch (IOException failure) {
                                throw new UncheckedIOException("A test server does not stop", failure);
                            }
                        },
                        "test-server-stop"));
    }
}
