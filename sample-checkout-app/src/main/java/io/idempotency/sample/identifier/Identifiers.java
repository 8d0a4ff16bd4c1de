package io.idempotency.sample.identifier;

import java.util.UUID;

/** Makes identifiers such as {@code inv_5f0c…}: random, with a prefix that tells a reader what they name. */
public final class Identifiers {

    private Identifiers() {}

    public static String next(String prefix) {
        return prefix + "_" + UUID.randomUUID().toString().replace("-", "");
    }
}
