package io.idempotency.json;

import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Refuses types whose JSON names the class to create, also those that ask for it by {@code @JsonTypeInfo}: whoever can
 * write to the store would choose the class. Names that a type lists itself are not concerned.
 */
final class NoStoredClassNames extends PolymorphicTypeValidator.Base {

    private static final long serialVersionUID = 1L;

    @Override
    public Validity validateBaseType(DatabindContext context, JavaType baseType) {
        return Validity.DENIED;
    }
}
