package io.idempotency.web;

import io.idempotency.core.FramedDigest;
import jakarta.servlet.ServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Digests parameters whatever the order of their names; the order of the values of one name matters. */
final class CanonicalParameters {

    /** What most requests have. */
    private static final byte[] NONE = FramedDigest.sha256(new String[0]);

    /** Before a text that cannot be decoded, so that it differs from all that are: it is no byte. */
    private static final char NOT_DECODED = '\uFFFF';

    private record Parameter(String name, @Nullable String value) {}

    private CanonicalParameters() {}

    /** Returns the parameters of a request as data binding asks for them. */
    static Map<String, String[]> of(ServletRequest request) {
        Map<String, String[]> parameters = new TreeMap<>();
        request.getParameterNames().asIterator().forEachRemaining(name -> {
            String[] values = request.getParameterValues(name);
            parameters.put(name, values == null ? new String[0] : values);
        });
        return parameters;
    }

    static byte[] digest(@Nullable String query) {
        if (!StringUtils.hasLength(query)) {
            return NONE.clone();
        }
        List<@Nullable String> texts = new ArrayList<>();
        Arrays.stream(StringUtils.delimitedListToStringArray(query, "&"))
                .map(CanonicalParameters::parameter)
                .sorted(Comparator.comparing(Parameter::name))
                .forEach(parameter -> {
                    texts.add(parameter.name());
                    texts.add(parameter.value());
                });
        return FramedDigest.sha256(texts.toArray(String[]::new));
    }

    static byte[] digest(Map<String, String[]> parameters) {
        List<String> texts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, values) -> {
            texts.add(name);
            texts.add(Integer.toString(values.length));
            texts.addAll(Arrays.asList(values));
        });
        return FramedDigest.sha256(texts.toArray(String[]::new));
    }

    /** Returns how many characters names and values have, which is at most their number of bytes. */
    static long length(Map<String, String[]> parameters) {
        return parameters.entrySet().stream()
                .mapToLong(parameter -> (long) parameter.getKey().length() * parameter.getValue().length
                        + Arrays.stream(parameter.getValue())
                                .mapToLong(String::length)
                                .sum())
                .sum();
    }

    private static Parameter parameter(String text) {
        int end = text.indexOf('=');
        return end < 0
                ? new Parameter(decoded(text), null)
                : new Parameter(decoded(text.substring(0, end)), decoded(text.substring(end + 1)));
    }

    /** Decodes to bytes, one for each character: in which charset they are a text is for the server to say. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException malformed) {
            return NOT_DECODED + text;
        }
    }
}
