package io.idempotency.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/**
 * The headers of a response that are recorded: those of a list and no others. What a filter around the exchange has set
 * belongs to the present request: it sets it for a replay too.
 */
final class KeptHeaders {

    private final List<String> names;

    KeptHeaders(List<String> names) {
        this.names = names;
    }

    Map<String, List<String>> of(ExchangeResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : names) {
            List<String> values = values(response, name);
            if (!values.isEmpty()) {
                headers.put(name, values);
            }
        }
        return headers;
    }

    private static List<String> values(ExchangeResponse response, String name) {
        if (response.isForeign(name)) {
            return List.of();
        }
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            // Not every container has it among its headers.
            String contentType = response.getContentType();
            return contentType == null ? List.of() : List.of(contentType);
        }
        // Most are not there, and to ask for the values of those costs more.
        return response.containsHeader(name) ? List.copyOf(response.getHeaders(name)) : List.of();
    }
}
