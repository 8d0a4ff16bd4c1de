package io.idempotency.testsupport;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import redis.embedded.RedisServer;

/**
 * The one place where tests find their servers. A server is started when the first test asks for it, serves all tests of
 * the JVM and ends with it. Where it comes from is decided in this order:
 *
 * <ol>
 *   <li>the environment: {@code IDEMPOTENCY_TEST_REDIS} ({@code host:port}), {@code IDEMPOTENCY_TEST_POSTGRES} (JDBC URL)
 *       with {@code IDEMPOTENCY_TEST_POSTGRES_USERNAME} and {@code IDEMPOTENCY_TEST_POSTGRES_PASSWORD};
 *   <li>a container, where a Docker engine answers;
 *   <li>a server binary from a Maven artifact.
 * </ol>
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

    private static final class RedisHolder {
        static final Redis SERVER = findRedis();
    }

    private static final class PostgresHolder {
        static final Postgres SERVER = findPostgres();
    }

    private static Redis findRedis() {
        String address = System.getenv("IDEMPOTENCY_TEST_REDIS");
        if (address != null) {
            logger.info("Tests use the Redis that the environment names");
            URI uri = URI.create("redis://" + address);
            return new Redis(uri.getHost(), uri.getPort() < 0 ? REDIS_PORT : uri.getPort());
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            logger.info("Tests use a Redis container");
            GenericContainer<?> container = new GenericContainer<>("redis:7").withExposedPorts(REDIS_PORT);
            container.start();
            atExit(container::stop);
            return new Redis(container.getHost(), container.getMappedPort(REDIS_PORT));
        }
        logger.info("Tests use an embedded Redis");
        return startEmbeddedRedis();
    }

    private static Redis startEmbeddedRedis() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try {
            int port = freePort(loopback);
            RedisServer server = RedisServer.newRedisServer()
                    .bind(loopback.getHostAddress())
                    .port(port)
                    .setting("save \"\"")
                    .build();
            server.start();
            atExit(server::stop);
            return new Redis(loopback.getHostAddress(), port);
        } catch (IOException failure) {
            throw new UncheckedIOException("The embedded Redis does not start", failure);
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
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
    private interface Stop {
        void run() throws IOException;
    }

    private static void atExit(Stop stop) {
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
