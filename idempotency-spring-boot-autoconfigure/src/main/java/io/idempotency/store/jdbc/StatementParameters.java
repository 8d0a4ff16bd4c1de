package io.idempotency.store.jdbc;

import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * The parameters of a verb, and those that every statement has: {@code now}, the end of each duration, and {@code no}.
 *
 * @param now microseconds since 1970 on the clock of this JVM
 */
record StatementParameters(Map<String, ? extends @Nullable Object> values, long now) implements SqlParameterSource {

    private static final String END = "_end";

    static StatementParameters of(Map<String, ? extends @Nullable Object> values) {
        return new StatementParameters(values, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }

    @Override
    public boolean hasValue(String name) {
        return name.equals("now") || name.equals("no") || values.containsKey(withoutEnd(name));
    }

    @Override
    public @Nullable Object getValue(String name) {
        if (name.equals("now")) {
            return now;
        }
        if (name.equals("no")) {
            return false;
        }
        if (!name.endsWith(END)) {
            return values.get(name);
        }
        Object duration = values.get(withoutEnd(name));
        return duration == null ? null : now + (long) duration;
    }

    private static String withoutEnd(String name) {
        return name.endsWith(END) ? name.substring(0, name.length() - END.length()) : name;
    }

    /** Says of what type a null is. */
    @Override
    public int getSqlType(String name) {
        if (getValue(name) != null) {
            return TYPE_UNKNOWN;
        }
        return name.equals("outcome") ? Types.VARBINARY : Types.BIGINT;
    }
}
