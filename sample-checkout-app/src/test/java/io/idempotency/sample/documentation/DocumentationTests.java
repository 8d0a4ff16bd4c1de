package io.idempotency.sample.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentationTests {

    private static final Path README = Repository.ROOT.resolve("README.md");

    private static final int README_LINES = 150;

    /** Its class, its method if one is meant, and whether it is marked as one that not every build runs. */
    private static final Pattern TEST =
            Pattern.compile("`(\\w+(?:Tests|Contract|Stories))(?:#(\\w+))?`(?:]\\([^)]*\\))?(\\s\\(long form\\))?");

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)[^)]*\\)");

    @ParameterizedTest
    @MethodSource("documents")
    void javaIsCopiedFromCompiledCode(Path document) {
        assertThat(Snippet.in(document))
                .allSatisfy(snippet -> assertThat(snippet.code()).isEqualTo(snippet.compiledCode()));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void testsThatAreNamedExist(Path document) {
        assertThat(TEST.matcher(Repository.text(document)).results())
                .allSatisfy(test -> assertThat(Repository.text(Repository.test(test.group(1))))
                        .contains(test.group(2) == null ? test.group(1) : "void " + test.group(2) + "("));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void testsThatNotEveryBuildRunsAreMarked(Path document) {
        assertThat(TEST.matcher(Repository.text(document)).results())
                .allSatisfy(test -> assertThat(test.group(3) != null)
                        .as(test.group())
                        .isEqualTo(isInLongForm(test.group(1), test.group(2))));
    }

    private static boolean isInLongForm(String type, String method) {
        return Pattern.compile("@Tag\\(\"faults-long\"\\)[^;]*(?:class %s|void %s)\\b".formatted(type, method))
                .matcher(Repository.text(Repository.test(type)))
                .find();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksIntoTheRepositoryLeadSomewhere(Path document) {
        assertThat(LINK.matcher(Repository.text(document)).results())
                .extracting(link -> URI.create(link.group(1)))
                .filteredOn(link -> !link.isAbsolute())
                .allSatisfy(link ->
                        assertThat(document.resolveSibling(link.getPath())).exists());
    }

    @Test
    void theReadmeStaysShort() {
        assertThat(Repository.text(README).lines().count()).isLessThanOrEqualTo(README_LINES);
    }

    @Test
    void theReadmeShowsCodeAndNamesTests() {
        assertThat(Snippet.in(README)).isNotEmpty();
        assertThat(TEST.matcher(Repository.text(README)).results()).isNotEmpty();
    }

    static List<Path> documents() {
        return Repository.documents();
    }
}
