package io.idempotency.interceptor;

import io.idempotency.annotation.IdempotentStep;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.TransactionSettings;
import java.lang.reflect.Type;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.StringValueResolver;

/** Reads the annotation of a step, and refuses what it cannot mean. */
final class StepMethodReader {

    private final StringValueResolver placeholders;

    private final ArgumentExpressionParser parser;

    private final MethodTransactions transactions;

    StepMethodReader(StringValueResolver placeholders, BeanFactory beanFactory) {
        this.placeholders = placeholders;
        this.parser = new ArgumentExpressionParser(beanFactory);
        this.transactions = new MethodTransactions(placeholders, beanFactory);
    }

    StepMethod read(AnnotationLookup.Found<IdempotentStep> found) {
        if (found.byType()) {
            throw new InvalidIdempotentMethodException(
                    found.signature()
                            + " has @IdempotentStep from its class, but each step needs a name of its own; annotate the methods");
        }
        if (AnnotationLookup.OPERATIONS
                .find(found.method(), found.targetClass())
                .isPresent()) {
            throw new InvalidIdempotentMethodException(found.signature()
                    + " is annotated with @IdempotentStep and @Idempotent, but a step belongs inside of an operation;"
                    + " remove one of them");
        }
        IdempotentStep annotation = found.annotation();
        AnnotationAttributes attributes = new AnnotationAttributes(found, placeholders, parser);
        String fingerprint = attributes.text("fingerprint", annotation.fingerprint());
        boolean compared = !fingerprint.equals(FingerprintStrategy.NONE.name());
        return new StepMethod(
                found.signature(),
                name(attributes, annotation.name()),
                attributes.expression("item", annotation.item()),
                compared,
                attributes.expression("fingerprint", compared ? fingerprint : ""),
                annotation.onAbandoned(),
                transaction(found),
                type(found));
    }

    private static String name(AnnotationAttributes attributes, String text) {
        try {
            return StepIdentity.of(attributes.text("name", text), null).name();
        } catch (IllegalArgumentException unusable) {
            throw attributes.refused("name", unusable);
        }
    }

    private Optional<TransactionSettings> transaction(AnnotationLookup.Found<IdempotentStep> found) {
        if (!found.annotation().transactional()) {
            return Optional.empty();
        }
        if (found.annotation().onAbandoned() != OnAbandoned.RETRY) {
            throw new InvalidIdempotentMethodException(found.signature()
                    + " is a transactional step, which leaves nothing in doubt; remove onAbandoned, or transactional");
        }
        return Optional.of(transactions.of(found));
    }

    private static Type type(AnnotationLookup.Found<?> found) {
        ReturnValue value;
        try {
            value = ReturnValue.of(found.method(), found.targetClass());
        } catch (IllegalArgumentException unrecordable) {
            throw new InvalidIdempotentMethodException(
                    "The return value of %s cannot be recorded. %s"
                            .formatted(found.signature(), unrecordable.getMessage()),
                    unrecordable);
        }
        if (value.later()) {
            throw new InvalidIdempotentMethodException(found.signature()
                    + " is a step and returns a future, whose work may go on after the step is recorded; let it return the"
                    + " value, and take the operation along to other threads by IdempotencyContext.wrap");
        }
        return value.type();
    }
}
