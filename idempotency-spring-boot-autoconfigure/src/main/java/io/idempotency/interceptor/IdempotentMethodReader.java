package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.OperationPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Reads an annotation into an {@link IdempotentMethod}, and refuses what it cannot mean. */
final class IdempotentMethodReader {

    private final Supplier<OperationPolicy> defaultPolicy;

    private final StringValueResolver placeholders;

    private final ArgumentExpressionParser parser;

    private final MethodTransactions transactions;

    IdempotentMethodReader(
            Supplier<OperationPolicy> defaultPolicy, StringValueResolver placeholders, BeanFactory beanFactory) {
        this.defaultPolicy = defaultPolicy;
        this.placeholders = placeholders;
        this.parser = new ArgumentExpressionParser(beanFactory);
        this.transactions = new MethodTransactions(placeholders, beanFactory);
    }

    IdempotentMethod read(AnnotationLookup.Found<Idempotent> found) {
        Idempotent annotation = found.annotation();
        AnnotationAttributes attributes = new AnnotationAttributes(found, placeholders, parser);
        String fingerprint = attributes.text("fingerprint", annotation.fingerprint());
        Set<String> ignoredFields = ignoredFields(attributes, annotation.ignoredFields(), fingerprint);
        Optional<FingerprintStrategy> strategy =
                ignoredFields.isEmpty() ? strategy(fingerprint) : Optional.of(FingerprintStrategy.AUTO);
        return new IdempotentMethod(
                found.method(),
                found.targetClass(),
                operation(attributes, annotation.operation(), found.signature()),
                attributes.expression("key", annotation.key()),
                Optional.of(attributes.text("header", annotation.header())).filter(StringUtils::hasText),
                annotation.required(),
                attributes.expression("scope", annotation.scope()),
                strategy.isPresent() ? Optional.empty() : attributes.expression("fingerprint", fingerprint),
                strategy,
                ignoredFields,
                annotation.transactional()
                        ? policy(attributes, annotation).withTransaction(transactions.of(found))
                        : policy(attributes, annotation));
    }

    private static Optional<FingerprintStrategy> strategy(String text) {
        return Arrays.stream(FingerprintStrategy.values())
                .filter(strategy -> strategy.name().equals(text))
                .findFirst();
    }

    private static String operation(AnnotationAttributes attributes, String text, String signature) {
        String given = attributes.text("operation", text);
        String operation = given.isEmpty() ? signature : given;
        try {
            return new IdempotencyKey(operation, null, "any").operation();
        } catch (IllegalArgumentException unusable) {
            throw attributes.refused("operation", unusable);
        }
    }

    private static Set<String> ignoredFields(AnnotationAttributes attributes, String[] paths, String fingerprint) {
        boolean automatic = fingerprint.isEmpty() || fingerprint.equals(FingerprintStrategy.AUTO.name());
        if (paths.length > 0 && !automatic) {
            throw attributes.refused(
                    "ignoredFields",
                    new IllegalArgumentException("only AUTO looks into a body; remove them, or the fingerprint"));
        }
        return Arrays.stream(paths)
                .map(path -> attributes.text("ignoredFields", path))
                .filter(StringUtils::hasText)
                .collect(Collectors.toUnmodifiableSet());
    }

    private OperationPolicy policy(AnnotationAttributes attributes, Idempotent annotation) {
        OperationPolicy policy = defaultPolicy
                .get()
                .withOnFailure(annotation.onFailure())
                .withOnAbandoned(annotation.onAbandoned())
                .withRecordedFailures(Set.copyOf(List.of(annotation.recordFailures())));
        policy = with(attributes, "lease", annotation.lease(), policy, OperationPolicy::withLease);
        policy = with(attributes, "retention", annotation.retention(), policy, OperationPolicy::withRetention);
        return with(attributes, "maxWait", annotation.maxWait(), policy, OperationPolicy::withMaxWait);
    }

    private static OperationPolicy with(
            AnnotationAttributes attributes,
            String attribute,
            String text,
            OperationPolicy policy,
            BiFunction<OperationPolicy, Duration, OperationPolicy> change) {
        String resolved = attributes.text(attribute, text);
        if (resolved.isEmpty()) {
            return policy;
        }
        try {
            return change.apply(policy, duration(resolved));
        } catch (IllegalArgumentException unusable) {
            throw attributes.refused(attribute, unusable);
        }
    }

    private static Duration duration(String text) {
        if (Character.isDigit(text.charAt(text.length() - 1))) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write 30s, 24h or 7d");
        }
        return DurationFormatterUtils.detectAndParse(text);
    }
}
