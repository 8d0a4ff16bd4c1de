package io.idempotency.web;

import io.idempotency.interceptor.FingerprintStrategy;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What holds for all handlers of an application.
 *
 * @param headerNames the request headers that hold the key, at least one
 * @param strict whether only quoted keys are accepted, as the Internet draft demands
 * @param keyPattern what every key in a header must match as a whole
 * @param maxKeyLength the length of the longest key in a header, in characters
 * @param maxRequestSize the largest body of a request whose fingerprint is taken, in bytes
 * @param maxResponseSize the largest body of a response that is recorded, in bytes
 * @param keptHeaders the response headers that are recorded
 * @param fingerprint how fingerprints are taken where the operation does not say it
 */
public record WebSettings(
        List<String> headerNames,
        boolean strict,
        Optional<Pattern> keyPattern,
        int maxKeyLength,
        int maxRequestSize,
        int maxResponseSize,
        List<String> keptHeaders,
        FingerprintStrategy fingerprint) {

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if there is no header name or a limit is not positive; the message names it
     */
    public WebSettings {
        headerNames = List.copyOf(headerNames);
        keptHeaders = List.copyOf(keptHeaders);
        if (headerNames.isEmpty()) {
            throw new IllegalArgumentException("idempotency.web.header-names must name at least one header");
        }
        requirePositive("max-key-length", maxKeyLength);
        requirePositive("max-request-size", maxRequestSize);
        requirePositive("max-response-size", maxResponseSize);
    }

    private static void requirePositive(String name, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException("idempotency.web.%s is %d, but must be positive".formatted(name, value));
        }
    }
}
