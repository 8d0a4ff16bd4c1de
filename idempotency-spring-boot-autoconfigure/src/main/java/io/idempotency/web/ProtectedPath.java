package io.idempotency.web;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A pattern of paths that lead to a protected handler.
 *
 * @param fixed what each of these paths holds, unless something in it is encoded or is a parameter; empty where that cannot
 *     be told
 * @param methods those that lead there; empty where all do
 */
record ProtectedPath(PathPattern pattern, String fixed, Set<RequestMethod> methods) {

    static ProtectedPath of(PathPattern pattern, Set<RequestMethod> methods) {
        Set<RequestMethod> accepted = EnumSet.noneOf(RequestMethod.class);
        accepted.addAll(methods);
        String text = pattern.getPatternString();
        // Equal patterns have equal separators, and see the same difference between upper and lower case: by default,
        // any.
        boolean byDefault = PathPatternParser.defaultInstance.parse(text).equals(pattern);
        return new ProtectedPath(pattern, byDefault ? fixedStart(text) : "", accepted);
    }

    private static String fixedStart(String pattern) {
        int end = 0;
        while (end < pattern.length() && "{*?".indexOf(pattern.charAt(end)) < 0) {
            end++;
        }
        // What follows a last separator may be nothing at all, and the separator be missing with it.
        return pattern.substring(0, end > 0 && pattern.charAt(end - 1) == '/' ? end - 1 : end);
    }

    boolean accepts(@Nullable RequestMethod method) {
        return methods.isEmpty() || methods.contains(method);
    }

    /**
     * Says whether a path may match, in much less time than it takes to parse it.
     *
     * @param sent also with what comes before the part that is matched
     */
    boolean mayMatch(String sent) {
        return sent.contains(fixed) || sent.indexOf('%') >= 0 || sent.indexOf(';') >= 0;
    }

    /** Says whether a path is the pattern as it is written, as most are that match one without variables. */
    boolean isWrittenAs(String sent) {
        return pattern.getPatternString().equals(sent);
    }

    boolean matches(PathContainer path) {
        return pattern.matches(path);
    }
}
