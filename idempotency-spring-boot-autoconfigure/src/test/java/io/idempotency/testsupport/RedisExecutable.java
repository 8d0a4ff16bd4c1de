package io.idempotency.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A {@code redis-server} to run. */
record RedisExecutable(Path file) {

    private static final Pattern VERSION = Pattern.compile("v=(\\d+)\\.");

    /** Returns the one that comes from a Maven artifact: version 6.2. */
    static RedisExecutable embedded() {
        return EmbeddedHolder.EXECUTABLE;
    }

    private static final class EmbeddedHolder {
        static final RedisExecutable EXECUTABLE = unpack();
    }

    private static RedisExecutable unpack() {
        try {
            return new RedisExecutable(
                    ExecutableProvider.newJarResourceProvider(ExecutableProvider.newProvidedVersionsMap())
                            .get()
                            .toPath());
        } catch (IOException failure) {
            throw new UncheckedIOException("The embedded Redis cannot be unpacked", failure);
        }
    }

    /** Returns the one that is installed on this machine, if it is of this version or a newer one. */
    static Optional<RedisExecutable> installed(int majorVersion) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, "redis-server"))
                .filter(Files::isExecutable)
                .map(RedisExecutable::new)
                .filter(executable -> executable.majorVersion() >= majorVersion)
                .findFirst();
    }

    private int majorVersion() {
        try {
            Process process = new ProcessBuilder(file.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            Matcher version =
                    VERSION.matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException failure) {
            throw new UncheckedIOException("The installed Redis does not tell its version", failure);
        }
    }
}
