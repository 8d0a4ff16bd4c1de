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
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.std.ToEmptyObjectSerializer;
import tools.jackson.databind.type.CollectionType;

/**
 * Writes what tells two values apart. The elements of sets come in the order of their texts, since the order of a hash set
 * differs between two JVMs. Objects without content, such as lambdas, and those of the platform that are no data, such as
 * locks, are refused: all of them would look the same.
 */
final class ComparedContent extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public ValueSerializer<?> modifyCollectionSerializer(
            SerializationConfig config,
            CollectionType type,
            BeanDescription.Supplier description,
            ValueSerializer<?> serializer) {
        return Set.class.isAssignableFrom(type.getRawClass()) ? new SortedSetSerializer() : serializer;
    }

    @Override
    public ValueSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription.Supplier description, ValueSerializer<?> serializer) {
        boolean refused = serializer instanceof ToEmptyObjectSerializer
                || (serializer instanceof BeanSerializerBase bean
                        && isWithoutContent(bean, description.getBeanClass()));
        return refused ? new RefusingSerializer() : serializer;
    }

    private static boolean isWithoutContent(BeanSerializerBase serializer, Class<?> type) {
        return PlatformTypes.include(type) || (serializer.propertyCount() == 0 && !type.isRecord());
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

    private static final class RefusingSerializer extends ValueSerializer<Object> {

        @Override
        public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
            context.reportBadDefinition(value.getClass(), "It has no content");
        }
    }
}
