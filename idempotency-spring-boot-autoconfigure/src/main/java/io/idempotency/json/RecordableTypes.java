package io.idempotency.json;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells which types can be recorded and given back, from what the mapper would do with them and with everything that
 * they are made of. So it is known at the start of the application, and not when the first retry comes.
 */
final class RecordableTypes {

    private static final String JACKSON = "tools.jackson.";

    private final JsonMapper mapper;

    private final LostState lostState;

    RecordableTypes(JsonMapper mapper) {
        this.mapper = mapper;
        this.lostState = new LostState(mapper);
    }

    /**
     * Does nothing for a type that can be recorded.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, cannot; the message names both
     */
    void require(JavaType type) {
        problem(type, new HashSet<>()).ifPresent(problem -> {
            throw new IllegalArgumentException(
                    "A value of type %s cannot be recorded: %s".formatted(type.toCanonical(), problem));
        });
    }

    private Optional<String> problem(@Nullable JavaType type, Set<JavaType> seen) {
        if (type == null || !seen.add(type)) {
            return Optional.empty();
        }
        return RefusedTypes.problem(type.getRawClass())
                .or(() -> problem(type.getKeyType(), seen))
                .or(() -> problem(type.getContentType(), seen))
                .or(() -> mapperProblem(type, seen));
    }

    private Optional<String> mapperProblem(JavaType type, Set<JavaType> seen) {
        ValueDeserializer<?> deserializer;
        try {
            deserializer = mapper._deserializationContext().findRootValueDeserializer(type);
        } catch (JacksonException unknown) {
            return Optional.of(name(type) + " cannot be read from JSON; return a class of your own");
        }
        if (deserializer instanceof AbstractDeserializer) {
            return Optional.of(name(type) + " does not say which class to create; return a record or class,"
                    + " or list the subtypes by @JsonTypeInfo(use = NAME) and @JsonSubTypes");
        }
        return deserializer instanceof BeanDeserializerBase bean ? beanProblem(type, bean, seen) : Optional.empty();
    }

    private Optional<String> beanProblem(JavaType type, BeanDeserializerBase bean, Set<JavaType> seen) {
        if (PlatformTypes.include(type.getRawClass())) {
            return Optional.of(name(type) + " is no data; return a record that holds what is needed of it");
        }
        if (!bean.getValueInstantiator().canInstantiate()) {
            return Optional.of(name(type) + " has no constructor that JSON can be read with; return a record");
        }
        Set<String> lost = lostState.of(type);
        if (!lost.isEmpty()) {
            return Optional.of("the JSON of %s leaves out %s, which a replay would lose; return a class without it"
                    .formatted(name(type), String.join(", ", lost)));
        }
        for (Iterator<SettableBeanProperty> properties = bean.properties(); properties.hasNext(); ) {
            SettableBeanProperty property = properties.next();
            if (isReadByType(property)) {
                Optional<String> problem = problem(property.getType(), seen);
                if (problem.isPresent()) {
                    return problem.map(text -> "%s.%s: %s".formatted(name(type), property.getName(), text));
                }
            }
        }
        return Optional.empty();
    }

    /** Neither by a deserializer of the user's own nor by a listed name of the subtype. */
    private static boolean isReadByType(SettableBeanProperty property) {
        return !property.hasValueTypeDeserializer()
                && property.getValueDeserializer().getClass().getName().startsWith(JACKSON);
    }

    private static String name(JavaType type) {
        return type.getRawClass().getName();
    }
}
