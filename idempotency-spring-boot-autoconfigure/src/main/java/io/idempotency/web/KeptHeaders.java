package io.idempotency.web;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/** The headers of a response that are recorded: those of a list and no others. */
final class KeptHeaders {

    private final List<String> names;

    KeptHeaders(List<String> names) {
        this.names = names;
    }

    Map<String, List<String>> of(HttpServletResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : names) {
            Collection<String> values = values(response, name);
            if (!values.isEmpty()) {
                headers.put(name, List.copyOf(values));
            }
        }
        return headers;
    }

    /** Not every container has the content type among its headers. */
    private static Collection<String> values(HttpServletResponse response, String name) {
        if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            return response.getHeaders(name);
        }
        String contentType = response.getContentType();
        return contentType == null ? List.of() : List.of(contentType);
    }
}
