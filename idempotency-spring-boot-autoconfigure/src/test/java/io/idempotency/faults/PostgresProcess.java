package io.idempotency.faults;

import static org.awaitility.Awaitility.await;

import io.idempotency.testsupport.TestServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** A PostgreSQL whose processes a test may stop and kill. */
final class PostgresProcess implements ServerProcess {

    private static final Duration SLOW = Duration.ofMinutes(1);

    private final Path directory;

    private volatile EmbeddedPostgres server;

    private PostgresProcess(Path directory) throws IOException {
        this.directory = directory;
        this.server = builder().start();
    }

    static PostgresProcess start() {
        try {
            return new PostgresProcess(Files.createTempDirectory("postgres-"));
        } catch (IOException failure) {
            throw new UncheckedIOException("PostgreSQL does not start", failure);
        }
    }

    private EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                // Off by default here, where it would lose what was committed just before the kill.
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(SLOW);
    }

    @Override
    public StoreAddress newAddress() {
        return StoreAddress.postgres(
                new TestServers.Postgres(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres"));
    }

    @Override
    public List<Long> processes() {
        ProcessHandle postmaster = postmaster();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .map(ProcessHandle::pid)
                .toList();
    }

    private ProcessHandle postmaster() {
        try {
            Path file = directory.resolve("data").resolve("postmaster.pid");
            return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0)))
                    .orElseThrow();
        } catch (IOException failure) {
            throw new UncheckedIOException("PostgreSQL does not run", failure);
        }
    }

    @Override
    public void kill() {
        List<ProcessHandle> all = processes().stream()
                .flatMap(process -> ProcessHandle.of(process).stream())
                .toList();
        Signal.KILL.sendTo(all.stream().map(ProcessHandle::pid).toList());
        await().atMost(SLOW).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Override
    public void restart() {
        int port = server.getPort();
        try {
            // Nothing is left to be stopped, but its lock on the directory is.
            server.close();
            server = builder().setPort(port).start();
        } catch (IOException failure) {
            throw new UncheckedIOException("PostgreSQL does not start again", failure);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("PostgreSQL cannot be ended", failure);
        }
    }
}
