package io.idempotency.json;

import java.io.StringWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;

/** Writes the elements of sets in the order of their texts: the order of a hash set differs between two JVMs. */
final class SortedSets extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public ValueSerializer<?> modifyCollectionSerializer(
            SerializationConfig config,
            CollectionType type,
            BeanDescription.Supplier description,
            ValueSerializer<?> serializer) {
        return Set.class.isAssignableFrom(type.getRawClass()) ? new SortedSetSerializer() : serializer;
    }

    private static final class SortedSetSerializer extends ValueSerializer<Set<?>> {

        @Override
        public void serialize(Set<?> set, JsonGenerator generator, SerializationContext context) {
            generator.writeStartArray();
            set.stream().map(element -> json(element, context)).sorted().forEach(generator::writeRawValue);
            generator.writeEndArray();
        }

        private static String json(@Nullable Object element, SerializationContext context) {
            StringWriter json = new StringWriter();
            try (JsonGenerator generator = context.tokenStreamFactory().createGenerator(context, json)) {
                context.writeValue(generator, element);
            }
            return json.toString();
        }
    }
}
