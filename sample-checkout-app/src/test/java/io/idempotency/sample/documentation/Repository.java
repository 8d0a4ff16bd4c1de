package io.idempotency.sample.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of this repository. Tests run in the directory of their module. */
final class Repository {

    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final List<Path> TEST_SOURCES = files(ROOT, Integer.MAX_VALUE)
            .filter(file -> file.toString().contains("src/test/java"))
            .toList();

    private Repository() {}

    /** Returns what people read: the Markdown files at the top and in {@code docs}. */
    static List<Path> documents() {
        return Stream.concat(files(ROOT, 1), files(ROOT.resolve("docs"), Integer.MAX_VALUE))
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
    }

    /** Returns the test class with this simple name. */
    static Path test(String name) {
        return TEST_SOURCES.stream()
                .filter(file -> file.endsWith(name + ".java"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no test " + name));
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Stream<Path> files(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
