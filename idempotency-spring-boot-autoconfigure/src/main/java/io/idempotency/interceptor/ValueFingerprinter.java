package io.idempotency.interceptor;

import io.idempotency.core.Fingerprint;
import org.jspecify.annotations.Nullable;

/** Takes fingerprints of values by their content. Thread-safe. */
@FunctionalInterface
public interface ValueFingerprinter {

    /**
     * Takes the fingerprint of a list of values, in which {@code null} counts.
     *
     * @throws IllegalArgumentException if the content of a value cannot be told; the message names its type
     */
    Fingerprint fingerprint(@Nullable Object... values);
}
