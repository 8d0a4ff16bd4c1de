package io.idempotency.json;

import java.io.InputStream;
import java.io.Reader;
import java.io.Serializable;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/** Types that are no values: what they stand for cannot be told by looking at them, or only once. */
final class RefusedTypes {

    private static final String UNTYPED = " says nothing about what it holds; return a record, a class or a JsonNode";

    private static final String ONCE = " can be read only once; return a List";

    private static final String BYTES = " can be read only once; return a byte[] or a String";

    private static final String LATER = " ends later; let the method itself return a CompletableFuture";

    private static final String COLD =
            " runs its work anew for each subscriber; return a CompletableFuture, or annotate a method that it calls";

    private static final Set<Class<?>> UNTYPED_CLASSES = Set.of(Object.class, Serializable.class, Number.class);

    private static final Map<Class<?>, String> REMEDIES = Map.ofEntries(
            Map.entry(BaseStream.class, ONCE),
            Map.entry(Iterator.class, ONCE),
            Map.entry(Enumeration.class, ONCE),
            Map.entry(InputStream.class, BYTES),
            Map.entry(Reader.class, BYTES),
            Map.entry(Callable.class, LATER),
            Map.entry(Future.class, LATER),
            Map.entry(CompletionStage.class, LATER),
            Map.entry(Flow.Publisher.class, COLD),
            Map.entry(Class.class, " names code; return its name"),
            Map.entry(Throwable.class, " says where it was made and is never the same twice; return what happened"));

    /** By name, since their libraries are the user's own. */
    private static final Map<String, String> REMEDIES_BY_NAME = Map.of(
            "org.reactivestreams.Publisher", COLD,
            "kotlinx.coroutines.flow.Flow", COLD,
            "org.springframework.http.HttpEntity",
                    " belongs at the top; let the method itself return a ResponseEntity");

    private RefusedTypes() {}

    static Optional<String> problem(Class<?> type) {
        return remedy(type).map(remedy -> type.getName() + remedy);
    }

    private static Optional<String> remedy(Class<?> type) {
        if (UNTYPED_CLASSES.contains(type)) {
            return Optional.of(UNTYPED);
        }
        return REMEDIES.entrySet().stream()
                .filter(entry -> entry.getKey().isAssignableFrom(type))
                .map(Map.Entry::getValue)
                .findFirst()
                .or(() -> remedyByName(type));
    }

    private static Optional<String> remedyByName(Class<?> type) {
        String remedy = REMEDIES_BY_NAME.get(type.getName());
        if (remedy != null) {
            return Optional.of(remedy);
        }
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .flatMap(parent -> remedyByName(parent).stream())
                .findFirst();
    }
}
