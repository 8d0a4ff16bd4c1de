package io.idempotency.interceptor;

/** How the fingerprint of a call is taken where no expression says it. */
public enum FingerprintStrategy {

    /** JSON by its content: the order of keys, spacing and escapes do not matter. Anything else by its bytes. */
    AUTO,

    /** Bodies of requests by their bytes. */
    RAW,

    /** Nothing is compared. */
    NONE
}
