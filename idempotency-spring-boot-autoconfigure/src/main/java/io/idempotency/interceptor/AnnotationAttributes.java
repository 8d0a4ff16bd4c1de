package io.idempotency.interceptor;

import java.util.Optional;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Reads the attributes of the annotation of one method: resolves placeholders and parses expressions. */
final class AnnotationAttributes {

    private final String signature;

    private final ArgumentNames names;

    private final StringValueResolver placeholders;

    private final ArgumentExpressionParser parser;

    AnnotationAttributes(
            AnnotationLookup.Found<?> found, StringValueResolver placeholders, ArgumentExpressionParser parser) {
        this.signature = found.signature();
        this.names = ArgumentNames.of(found.method(), found.annotatedMethod());
        this.placeholders = placeholders;
        this.parser = parser;
    }

    String text(String attribute, String text) {
        try {
            String resolved = placeholders.resolveStringValue(text);
            return resolved == null ? "" : resolved.strip();
        } catch (IllegalArgumentException unresolvable) {
            throw refused(attribute, unresolvable);
        }
    }

    /** Returns an expression over the arguments; empty where the attribute is. */
    Optional<ArgumentExpression> expression(String attribute, String text) {
        return Optional.of(text(attribute, text))
                .filter(StringUtils::hasText)
                .map(resolved -> parser.parse(resolved, attribute, signature, names));
    }

    InvalidIdempotentMethodException refused(String attribute, IllegalArgumentException cause) {
        return new InvalidIdempotentMethodException(
                "The %s of %s cannot be used: %s".formatted(attribute, signature, cause.getMessage()), cause);
    }
}
