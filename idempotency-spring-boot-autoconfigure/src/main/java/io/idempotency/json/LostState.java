package io.idempotency.json;

import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.PropertyWriter;

/**
 * Finds the state of a class that its annotations keep out of JSON, such as {@code @JsonIgnore} and {@code WRITE_ONLY}.
 * It is not recorded, since its author does not want it written; so the class cannot be given back as it was.
 */
final class LostState {

    private final JsonMapper mapper;

    LostState(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Returns the names of the fields and constructor parameters that are never written; empty where there are none. */
    Set<String> of(JavaType type) {
        BeanDescription description = mapper._deserializationContext().introspectBeanDescription(type);
        Set<String> state = new TreeSet<>();
        for (BeanPropertyDefinition property : description.findProperties()) {
            if (property.hasField() || property.hasConstructorParameter()) {
                state.add(property.getName());
            }
        }
        Set<String> ignored = description.getIgnoredPropertyNames();
        if (ignored != null) {
            for (AnnotatedField field : description.getClassInfo().fields()) {
                if (ignored.contains(field.getName())) {
                    state.add(field.getName());
                }
            }
        }
        state.removeAll(written(type));
        return state;
    }

    private Set<String> written(JavaType type) {
        Set<String> written = new TreeSet<>();
        Iterator<PropertyWriter> properties =
                mapper._serializationContext().findRootValueSerializer(type).properties();
        properties.forEachRemaining(property -> written.add(property.getName()));
        return written;
    }
}
