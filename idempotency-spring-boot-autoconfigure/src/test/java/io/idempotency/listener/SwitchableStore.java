package io.idempotency.listener;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store in memory that can be down. */
final class SwitchableStore {

    private final IdempotencyStore store = new InMemoryIdempotencyStore(1_000);

    private volatile boolean down;

    void setDown(boolean down) {
        this.down = down;
    }

    IdempotencyStore store() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, verb, arguments) -> {
                    if (down) {
                        throw new IdempotencyStoreException("The store is down", null);
                    }
                    try {
                        return verb.invoke(store, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }
}
