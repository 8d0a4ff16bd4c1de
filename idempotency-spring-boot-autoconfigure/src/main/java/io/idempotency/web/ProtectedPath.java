package io.idempotency.web;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A pattern of paths that lead to a protected handler.
 *
 * @param fixed what each of these paths holds, unless some of it is encoded; empty where that cannot be told
 * @param methods those that lead there; empty where all do
 */
record ProtectedPath(PathPattern pattern, String fixed, Set<RequestMethod> methods) {

    static ProtectedPath of(PathPattern pattern, boolean caseSensitive, Set<RequestMethod> methods) {
        Set<RequestMethod> accepted = EnumSet.noneOf(RequestMethod.class);
        accepted.addAll(methods);
        return new ProtectedPath(pattern, caseSensitive ? fixedStart(pattern.getPatternString()) : "", accepted);
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
     * @param path as it was sent, also with what comes before the part that is matched
     */
    boolean mayMatch(String path) {
        return path.contains(fixed) || path.indexOf('%') >= 0 || path.indexOf(';') >= 0;
    }

    /** Says whether a path is this pattern as it is written, as all are that match one without variables. */
    boolean isWritten(String path) {
        return pattern.getPatternString().equals(path);
    }

    boolean matches(PathContainer path) {
        return pattern.matches(path);
    }
}
