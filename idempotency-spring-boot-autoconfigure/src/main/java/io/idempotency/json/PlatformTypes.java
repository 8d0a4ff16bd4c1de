package io.idempotency.json;

import java.util.List;

/** The classes of the Java platform. Those of them that are data have a JSON form of their own. */
final class PlatformTypes {

    private static final List<String> PREFIXES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private PlatformTypes() {}

    static boolean include(Class<?> type) {
        return PREFIXES.stream().anyMatch(type.getName()::startsWith);
    }
}
