package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.TransactionalStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Lets verbs of a store fail, without having been applied, for as long as a test says so. */
final class DisturbedStore {

    /** The verbs that go over the connections of the store. */
    static final Set<String> OUTSIDE = Set.of("claim", "renew", "complete", "release", "hold", "find");

    private volatile Set<String> failing = Set.of();

    void fail(Set<String> verbs) {
        failing = verbs;
    }

    void heal() {
        failing = Set.of();
    }

    IdempotencyStore around(JdbcIdempotencyStore store) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {IdempotencyStore.class, TransactionalStore.class},
                (proxy, verb, arguments) -> {
                    if (failing.contains(verb.getName())) {
                        throw new IdempotencyStoreException("planted failure to " + verb.getName(), null);
                    }
                    try {
                        return verb.invoke(store, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
