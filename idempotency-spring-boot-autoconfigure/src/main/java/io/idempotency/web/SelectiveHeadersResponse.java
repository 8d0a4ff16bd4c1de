package io.idempotency.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * A response that does not take every header: at times none, and the length of its body only if it is sent as it is written.
 * What can be said in several ways comes to one method. It knows which headers were there before it.
 */
abstract class SelectiveHeadersResponse extends HttpServletResponseWrapper {

    private final Set<String> foreignHeaders;

    private boolean ignoringHeaders;

    /**
     * @param watched the names of the headers that {@link #isForeign} is asked for
     */
    SelectiveHeadersResponse(HttpServletResponse response, List<String> watched) {
        super(response);
        foreignHeaders = foreign(response, watched);
    }

    private static Set<String> foreign(HttpServletResponse response, List<String> watched) {
        Set<String> names = Set.of();
        for (String name : watched) {
            if (response.containsHeader(name)) {
                names = names.isEmpty() ? new TreeSet<>(String.CASE_INSENSITIVE_ORDER) : names;
                names.add(name);
            }
        }
        return names;
    }

    /** Says whether a header is that of a filter around this response: it was there before, and nobody has set it here. */
    boolean isForeign(String name) {
        return foreignHeaders.contains(name);
    }

    /** Notes that a header is set here. */
    void own(String name) {
        if (!foreignHeaders.isEmpty()) {
            foreignHeaders.remove(name);
        }
    }

    @Override
    public void reset() {
        super.reset();
        if (!foreignHeaders.isEmpty()) {
            foreignHeaders.clear();
        }
    }

    /** Says whether this response keeps the length that the application gives; else the wrapped one gets it. */
    abstract boolean keepsLength(long length);

    /** Says whether this response keeps an error, whose message is empty where there is none; else the wrapped one gets it. */
    abstract boolean keepsError(int status, String message);

    boolean isIgnoringHeaders() {
        return ignoringHeaders;
    }

    void ignoreHeaders() {
        ignoringHeaders = true;
    }

    /** Takes headers again, even if the response is discarded: those of filters, now that the handler has answered. */
    void takeHeaders() {
        ignoringHeaders = false;
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset encoding) {
        setCharacterEncoding(encoding == null ? null : encoding.name());
    }

    @Override
    public void sendError(int status) throws IOException {
        if (!keepsError(status, "")) {
            super.sendError(status);
        }
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        if (!keepsError(status, Objects.requireNonNullElse(message, ""))) {
            super.sendError(status, message);
        }
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!keepsLength(length)) {
            super.setContentLengthLong(length);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (isContentType(name, value)) {
            setContentType(value);
        } else if (takes(name, value)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (isContentType(name, value)) {
            setContentType(value);
        } else if (takes(name, value)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (takes(name, Integer.toString(value))) {
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (takes(name, Integer.toString(value))) {
            super.addIntHeader(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long value) {
        if (!ignoringHeaders) {
            own(name);
            super.setDateHeader(name, value);
        }
    }

    @Override
    public void addDateHeader(String name, long value) {
        if (!ignoringHeaders) {
            own(name);
            super.addDateHeader(name, value);
        }
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (!ignoringHeaders) {
            super.addCookie(cookie);
        }
    }

    @Override
    public void setLocale(Locale locale) {
        if (!ignoringHeaders) {
            own(HttpHeaders.CONTENT_LANGUAGE);
            super.setLocale(locale);
        }
    }

    private static boolean isContentType(String name, @Nullable String value) {
        return value != null && name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE);
    }

    private boolean takes(String name, @Nullable String value) {
        if (ignoringHeaders) {
            return false;
        }
        own(name);
        if (value == null || !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
            return true;
        }
        try {
            return !keepsLength(Long.parseLong(value));
        } catch (NumberFormatException noLength) {
            // The container does with it what it does without the annotation.
            return true;
        }
    }
}
