package io.idempotency.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Builds the mappers. Both see the fields of a class, since its state counts and not what it shows. */
final class JsonMappers {

    private JsonMappers() {}

    /**
     * Keeps what makes a value equal to itself after a round trip: the order of maps and sets, the scale of numbers, the
     * offset and zone of times. Tolerates properties that were added to or removed from a class since it was recorded.
     */
    static JsonMapper forOutcomes() {
        return visibleState()
                .annotationIntrospector(new RecordedAccess())
                .addModule(
                        new SimpleModule("idempotency-outcomes").addAbstractTypeMapping(Set.class, LinkedHashSet.class))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build();
    }

    /** Forgets what does not make a value another one: the order of the entries of maps and of the elements of sets. */
    static JsonMapper forFingerprints() {
        return visibleState()
                .annotationIntrospector(new ComparedAccess())
                .addModule(new SimpleModule("idempotency-fingerprints").setSerializerModifier(new ComparedContent()))
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
    }

    private static JsonMapper.Builder visibleState() {
        return JsonMapper.builder()
                .findAndAddModules()
                .polymorphicTypeValidator(new NoStoredClassNames())
                .changeDefaultVisibility(visibility -> visibility.withFieldVisibility(JsonAutoDetect.Visibility.ANY))
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID);
    }

    /** What clients may read but not send is state all the same. What must not be written anywhere is not recorded. */
    private static final class RecordedAccess extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonProperty.@Nullable Access findPropertyAccess(MapperConfig<?> config, Annotated annotated) {
            JsonProperty.Access access = super.findPropertyAccess(config, annotated);
            return access == JsonProperty.Access.READ_ONLY ? JsonProperty.Access.AUTO : access;
        }
    }

    /** Passwords and card numbers, which clients send and never read, are part of what was asked. */
    private static final class ComparedAccess extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonProperty.@Nullable Access findPropertyAccess(MapperConfig<?> config, Annotated annotated) {
            return super.findPropertyAccess(config, annotated) == null ? null : JsonProperty.Access.AUTO;
        }
    }
}
