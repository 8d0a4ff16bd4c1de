package io.idempotency.interceptor;

import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** An expression in the language of Spring. There is no root object. */
final class SpelArgumentExpression implements ArgumentExpression {

    private static final String SHA_256 = "sha256";

    private static final Method SHA_256_METHOD =
            Objects.requireNonNull(ReflectionUtils.findMethod(KeyText.class, SHA_256, Object[].class));

    private static final Set<SpelMessage> READ_ON_NULL = Set.of(
            SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL,
            SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED,
            SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE);

    private final String attribute;

    private final String signature;

    private final SpelExpression expression;

    private final Map<String, Integer> variables;

    private final BeanResolver beanResolver;

    /**
     * @param attribute the attribute of the annotation, for messages
     * @param signature the method, for messages
     * @param variables the positions of the arguments that the expression names
     */
    SpelArgumentExpression(
            String attribute,
            String signature,
            SpelExpression expression,
            Map<String, Integer> variables,
            BeanResolver beanResolver) {
        this.attribute = attribute;
        this.signature = signature;
        this.expression = expression;
        this.variables = variables;
        this.beanResolver = beanResolver;
    }

    @Override
    public String text(@Nullable Object target, Method method, @Nullable Object[] arguments) {
        StandardEvaluationContext context = context(arguments);
        String text;
        try {
            text = KeyText.of(expression.getValue(context));
            if (text != null && NullOperands.existIn(expression.getAST(), state(context))) {
                text = null;
            }
        } catch (KeyText.UnstableTextException unstable) {
            throw malformed(unstable);
        } catch (SpelEvaluationException failure) {
            if (failure.getCause() instanceof KeyText.UnstableTextException unstable) {
                throw malformed(unstable);
            }
            if (!READ_ON_NULL.contains(failure.getMessageCode())) {
                throw failed(failure);
            }
            text = null;
        } catch (NullPointerException refusedNull) {
            text = null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
            throw malformed(refused);
        } catch (RuntimeException failure) {
            throw failed(failure);
        }
        if (!StringUtils.hasText(text)) {
            throw new InvalidIdempotencyKeyException(
                    Reason.MISSING,
                    "The %s of %s is missing: '%s', or a part of it, is null or blank"
                            .formatted(attribute, signature, expression.getExpressionString()));
        }
        return text;
    }

    @Override
    public @Nullable Object value(@Nullable Object target, Method method, @Nullable Object[] arguments) {
        try {
            return expression.getValue(context(arguments));
        } catch (RuntimeException failure) {
            throw failed(failure);
        }
    }

    private StandardEvaluationContext context(@Nullable Object[] arguments) {
        StandardEvaluationContext context = new StandardEvaluationContext();
        context.setBeanResolver(beanResolver);
        context.registerFunction(SHA_256, SHA_256_METHOD);
        variables.forEach((name, index) -> context.setVariable(name, arguments[index]));
        return context;
    }

    private static ExpressionState state(StandardEvaluationContext context) {
        return new ExpressionState(context);
    }

    private InvalidIdempotencyKeyException malformed(KeyText.UnstableTextException unstable) {
        return new InvalidIdempotencyKeyException(
                Reason.MALFORMED,
                "The %s of %s cannot be taken from '%s': %s; name a property that identifies it"
                        .formatted(attribute, signature, expression.getExpressionString(), unstable.getMessage()));
    }

    /** Without the cause, whose message may show the value. */
    private InvalidIdempotencyKeyException malformed(RuntimeException refused) {
        return new InvalidIdempotencyKeyException(
                Reason.MALFORMED,
                "The %s of %s cannot be taken from '%s', which ends with %s"
                        .formatted(
                                attribute,
                                signature,
                                expression.getExpressionString(),
                                refused.getClass().getName()));
    }

    private InvalidIdempotentMethodException failed(RuntimeException failure) {
        return new InvalidIdempotentMethodException(
                "The %s of %s cannot be evaluated: '%s'"
                        .formatted(attribute, signature, expression.getExpressionString()),
                failure);
    }

    @Override
    public String toString() {
        return expression.getExpressionString();
    }
}
