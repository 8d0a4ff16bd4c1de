package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.TransactionSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What keeps methods from being transactional; each kind of transaction is tried once. */
final class TransactionObstacles {

    private final Map<TransactionSettings, Optional<String>> known = new HashMap<>();

    private final IdempotencyTemplate template;

    TransactionObstacles(IdempotencyTemplate template) {
        this.template = template;
    }

    /** Returns one sentence with method and remedy; empty where such a transaction can be opened. */
    Optional<String> of(String signature, TransactionSettings settings) {
        return known.computeIfAbsent(settings, template::obstacle)
                .map(obstacle -> "%s is transactional, but cannot be. %s".formatted(signature, obstacle));
    }
}
