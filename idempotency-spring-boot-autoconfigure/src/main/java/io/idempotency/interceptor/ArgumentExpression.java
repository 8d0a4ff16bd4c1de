package io.idempotency.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** An expression over the arguments of one method, parsed once. Thread-safe. */
public interface ArgumentExpression {

    /**
     * Evaluates the expression to a text that identifies something: a text, number, enum, UUID or the like, or a
     * collection of them.
     *
     * @throws io.idempotency.core.InvalidIdempotencyKeyException if the value is {@code null}, blank or of a type without
     *     a stable text; the message names method and expression
     */
    String text(@Nullable Object target, Method method, @Nullable Object[] arguments);

    /** Evaluates the expression to any value. */
    @Nullable
    Object value(@Nullable Object target, Method method, @Nullable Object[] arguments);
}
