package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.StoreProbe;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Probes the store once something has needed it, and does not bring it into being. */
final class StoreInUse implements Supplier<Optional<StoreProbe>> {

    private final ConfigurableListableBeanFactory beanFactory;

    private final Duration timeout;

    private volatile @Nullable StoreProbe probe;

    StoreInUse(ConfigurableListableBeanFactory beanFactory, Duration timeout) {
        this.beanFactory = beanFactory;
        this.timeout = timeout;
    }

    @Override
    public Optional<StoreProbe> get() {
        if (probe == null && isThere()) {
            // Two of them do no harm.
            probe = new StoreProbe(beanFactory.getBean(IdempotencyStore.class), timeout);
        }
        return Optional.ofNullable(probe);
    }

    private boolean isThere() {
        return Stream.of(beanFactory.getBeanNamesForType(IdempotencyStore.class, true, false))
                .anyMatch(beanFactory::containsSingleton);
    }
}
