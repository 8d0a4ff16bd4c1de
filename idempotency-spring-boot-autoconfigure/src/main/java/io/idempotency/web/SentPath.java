package io.idempotency.web;

import jakarta.servlet.http.HttpServletRequest;

/** The path of a request as it was sent. It is a part of fingerprints, which stores keep. */
final class SentPath {

    private SentPath() {}

    /** Returns the path without that of the application. */
    static String withinApplication(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String contextPath = request.getContextPath();
        return uri.startsWith(contextPath) ? uri.substring(contextPath.length()) : uri;
    }
}
