package io.idempotency.sample.documentation;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A piece of Java in a document, or of another language where a comment before it says where it comes from: {@code <!--
 * snippet: path#marker -->} is the text between {@code // snippet:marker} and {@code // end:marker} in that source file,
 * or {@code --} in SQL.
 *
 * @param path the source file; {@code null} where the document does not say
 * @param marker the marked region of the file
 * @param code what the document shows
 */
record Snippet(@Nullable String path, @Nullable String marker, String code) {

    private static final Pattern FENCE =
            Pattern.compile("(?:<!-- snippet: (\\S+)#(\\S+) -->\\n```\\w+|```java)\\n(.*?)```", Pattern.DOTALL);

    static List<Snippet> in(Path document) {
        return FENCE.matcher(Repository.text(document))
                .results()
                .map(fence -> new Snippet(fence.group(1), fence.group(2), fence.group(3)))
                .toList();
    }

    /** Returns the marked region of the source file. */
    String compiledCode() {
        if (path == null || marker == null) {
            throw new AssertionError("No <!-- snippet: path#marker --> says where this comes from:\n" + code);
        }
        String source = Repository.text(Repository.ROOT.resolve(path));
        return source.lines()
                        .dropWhile(line -> !isMark(line, "snippet:" + marker))
                        .skip(1)
                        .takeWhile(line -> !isMark(line, "end:" + marker))
                        .collect(Collectors.joining("\n"))
                        .stripIndent()
                + "\n";
    }

    private static boolean isMark(String line, String mark) {
        return line.strip().equals("// " + mark) || line.strip().equals("-- " + mark);
    }
}
