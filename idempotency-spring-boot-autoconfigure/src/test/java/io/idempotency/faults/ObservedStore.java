package io.idempotency.faults;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.TransactionalStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells before and after verbs of a store that an execution has come to a point. */
final class ObservedStore {

    private static final Map<String, Point> BEFORE = Map.of(
            "claim", Point.BEFORE_CLAIM,
            "lock", Point.BEFORE_LOCK,
            "complete", Point.BEFORE_RECORDING,
            "completeInTransaction", Point.BEFORE_RECORDING);

    private static final Map<String, Point> AFTER = Map.of(
            "claim", Point.AFTER_CLAIM,
            "lock", Point.AFTER_LOCK,
            "complete", Point.AFTER_RECORDING,
            "completeInTransaction", Point.BEFORE_COMMIT_OF_RECORD);

    private ObservedStore() {}

    static IdempotencyStore of(IdempotencyStore store, Consumer<Point> observer) {
        Class<?>[] kinds = store instanceof TransactionalStore
                ? new Class<?>[] {IdempotencyStore.class, TransactionalStore.class}
                : new Class<?>[] {IdempotencyStore.class};
        return (IdempotencyStore) Proxy.newProxyInstance(
                ObservedStore.class.getClassLoader(), kinds, (proxy, verb, arguments) -> {
                    tell(observer, BEFORE.get(verb.getName()));
                    try {
                        Object answer = verb.invoke(store, arguments);
                        tell(observer, AFTER.get(verb.getName()));
                        return answer;
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }

    private static void tell(Consumer<Point> observer, @Nullable Point point) {
        if (point != null) {
            observer.accept(point);
        }
    }
}
