package io.idempotency.testsupport;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.util.FileSystemUtils;

/**
 * A {@code redis-server} in a process of its own, which a test may kill and start again. It ends with the JVM at the
 * latest.
 */
public final class RedisProcess implements AutoCloseable {

    static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

    /** Below the ports that outgoing connections get, and so are the ports of the cluster bus, which are 10,000 higher. */
    private static final int LOWEST_PORT = 11_000;

    private static final int HIGHEST_PORT = 22_000;

    private static final int ATTEMPTS = 20;

    private static final Duration SLOW_START = Duration.ofMinutes(1);

    private final int port;

    private final Path directory;

    private final List<String> command;

    private volatile Process process;

    private RedisProcess(int port, Path directory, List<String> command) throws IOException {
        this.port = port;
        this.directory = directory;
        this.command = command;
        this.process = launch();
    }

    /**
     * Starts a server on a port that nobody has. Which one that is, only the attempt to bind it can tell.
     *
     * @param configuration lines of the configuration file
     * @param options what follows the name of the file
     */
    static RedisProcess start(RedisExecutable executable, List<String> configuration, String... options) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try {
                RedisProcess server = prepare(port, executable, configuration, options);
                if (server.isReady()) {
                    return server;
                }
                server.close();
            } catch (IOException failure) {
                throw new UncheckedIOException("Redis does not start", failure);
            }
        }
        throw new IllegalStateException("Redis does not start on any of " + ATTEMPTS + " ports");
    }

    /** Starts a Redis 6.2 that forgets everything when it ends. */
    public static RedisProcess start() {
        return start(RedisExecutable.embedded(), List.of("save \"\""));
    }

    /** Starts a server of version 6.2 that has written every command to its file before it answers. */
    public static RedisProcess durable() {
        return start(RedisExecutable.embedded(), List.of("save \"\"", "appendonly yes", "appendfsync always"));
    }

    private static RedisProcess prepare(
            int port, RedisExecutable executable, List<String> configuration, String... options) throws IOException {
        Path directory = Files.createTempDirectory("redis-");
        List<String> lines = new ArrayList<>(
                List.of("port " + port, "bind " + HOST, "dir " + directory, "logfile redis.log", "daemonize no"));
        lines.addAll(configuration);
        Path file = Files.write(directory.resolve("redis.conf"), lines);
        List<String> command = new ArrayList<>(List.of(executable.file().toString(), file.toString()));
        command.addAll(List.of(options));
        RedisProcess server = new RedisProcess(port, directory, command);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "test-redis-stop"));
        return server;
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output.log").toFile()))
                .start();
    }

    /** Waits until this very process answers; false when it has ended, as it does when somebody else has the port. */
    private boolean isReady() {
        await().atMost(SLOW_START)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> !process.isAlive() || answers());
        return process.isAlive();
    }

    private boolean answers() {
        try {
            return ask("INFO", "server").contains("process_id:" + process.pid() + "\r");
        } catch (UncheckedIOException | IllegalStateException notYetOrSomebodyElse) {
            return false;
        }
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    /** Returns the number by which signals reach it. */
    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends one command over a connection of its own; see {@link RedisSocket#ask}. */
    public String ask(String... words) {
        try (RedisSocket socket = new RedisSocket(HOST, port)) {
            return socket.ask(words);
        } catch (IOException failure) {
            throw new UncheckedIOException("Redis does not answer " + words[0], failure);
        }
    }

    /** Returns when a replica has received all that this primary has written so far. */
    public void awaitReplicationTo(RedisProcess replica) {
        long written = replicationOffset();
        await().atMost(SLOW_START).until(() -> replica.replicationOffset() >= written);
    }

    /** Returns how much of the stream of writes it has made, or as a replica received. */
    long replicationOffset() {
        String name = ask("ROLE").startsWith("master") ? "master_repl_offset:" : "slave_repl_offset:";
        return ask("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length())))
                .findFirst()
                .orElse(0);
    }

    /** Ends it as {@code kill -9} does, and returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops it without ending it: it keeps its port and its connections and answers nobody, until it is {@link #thaw thawed}. */
    public void freeze() {
        signal("-STOP");
    }

    /** Lets it go on after it was frozen. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("The signal " + signal + " does not reach Redis");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("There is no command kill", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts it again on the same port, with what its directory holds. */
    public void restart() {
        kill();
        try {
            process = launch();
        } catch (IOException failure) {
            throw new UncheckedIOException("Redis does not start again", failure);
        }
        if (!isReady()) {
            throw new IllegalStateException("Somebody else has taken the port of a Redis that was stopped");
        }
    }

    @Override
    public void close() {
        kill();
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("The directory of a stopped Redis cannot be deleted", failure);
        }
    }
}
