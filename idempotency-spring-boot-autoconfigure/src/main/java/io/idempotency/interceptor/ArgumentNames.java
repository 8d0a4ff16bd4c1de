package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The names by which expressions call the arguments of a method: {@code a0} and {@code p0} always, and the names of the
 * parameters where the class was compiled with them.
 *
 * @param indexes the position of each name
 */
record ArgumentNames(Map<String, Integer> indexes) {

    private static final ParameterNameDiscoverer discoverer = new DefaultParameterNameDiscoverer();

    /** Takes the names of both methods; those of the one that carries the annotation come first. */
    static ArgumentNames of(Method method, Method annotatedMethod) {
        Map<String, Integer> indexes = new HashMap<>();
        putAll(indexes, method);
        putAll(indexes, annotatedMethod);
        for (int index = 0; index < method.getParameterCount(); index++) {
            indexes.put("a" + index, index);
            indexes.put("p" + index, index);
        }
        return new ArgumentNames(Map.copyOf(indexes));
    }

    private static void putAll(Map<String, Integer> indexes, Method method) {
        String[] names = discoverer.getParameterNames(method);
        for (int index = 0; names != null && index < names.length; index++) {
            indexes.put(names[index], index);
        }
    }

    Optional<Integer> index(String name) {
        return Optional.ofNullable(indexes.get(name));
    }

    /** Lists the names for a message. */
    Set<String> all() {
        return new TreeSet<>(indexes.keySet());
    }
}
