package io.idempotency.web;

import io.idempotency.core.IdempotencyKey;
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
 * @param maxKeyLength the length of the longest key in a header, in characters, at most {@value IdempotencyKey#MAX_LENGTH}
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
     * @throws IllegalArgumentException if there is no header name, or a limit is not positive or too high; the message names it
     */
    public WebSettings {
        headerNames = List.copyOf(headerNames);
        keptHeaders = List.copyOf(keptHeaders);
        if (headerNames.isEmpty()) {
            throw new IllegalArgumentException("idempotency.web.header-names must name at least one header");
        }
        requirePositive("max-key-length", maxKeyLength);
        if (maxKeyLength > IdempotencyKey.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "idempotency.web.max-key-length is %d, but must be at most %d: no store takes a longer key"
                            .formatted(maxKeyLength, IdempotencyKey.MAX_LENGTH));
        }
        requirePositive("max-request-size", maxRequestSize);
        requirePositive("max-response-size", maxResponseSize);
    }

    private static void requirePositive(String name, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException("idempotency.web.%s is %d, but must be positive".formatted(name, value));
        }
    }
}
