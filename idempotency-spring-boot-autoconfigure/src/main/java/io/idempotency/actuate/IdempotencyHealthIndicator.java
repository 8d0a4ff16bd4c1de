package io.idempotency.actuate;

import io.idempotency.core.StoreProbe;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether the store of the idempotency records can be reached and written. That it is not is told within the time
 * limit of the probe, also when the store is frozen. It shows what endangers the records under {@code warnings}. An application that has not
 * needed its store yet is {@code UNKNOWN}: its health must not depend on a store that nobody uses.
 */
public final class IdempotencyHealthIndicator extends AbstractHealthIndicator {

    private final Supplier<Optional<StoreProbe>> probe;

    /** @param probe asked at each check; empty while the application has not needed the store */
    public IdempotencyHealthIndicator(Supplier<Optional<StoreProbe>> probe) {
        super("The idempotency store cannot be reached");
        this.probe = probe;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Optional<StoreProbe> store = probe.get();
        if (store.isEmpty()) {
            builder.unknown().withDetail("store", "not needed so far");
            return;
        }
        List<String> warnings = store.get().ask();
        builder.up();
        if (!warnings.isEmpty()) {
            builder.withDetail("warnings", warnings);
        }
    }
}
