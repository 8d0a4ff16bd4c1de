package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
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
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Reads an annotation into an {@link IdempotentMethod}, and refuses what it cannot mean. */
final class IdempotentMethodReader {

    private static final boolean TRANSACTIONS_PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.interceptor.TransactionAttribute",
            IdempotentMethodReader.class.getClassLoader());

    private final Supplier<OperationPolicy> defaultPolicy;

    private final StringValueResolver placeholders;

    private final ArgumentExpressionParser parser;

    IdempotentMethodReader(
            Supplier<OperationPolicy> defaultPolicy, StringValueResolver placeholders, BeanFactory beanFactory) {
        this.defaultPolicy = defaultPolicy;
        this.placeholders = placeholders;
        this.parser = new ArgumentExpressionParser(beanFactory);
    }

    IdempotentMethod read(AnnotationLookup.Found found) {
        Idempotent annotation = found.annotation();
        String signature = Signature.of(found.method(), found.targetClass());
        Attributes attributes = new Attributes(signature, ArgumentNames.of(found.method(), found.annotatedMethod()));
        String fingerprint = attributes.text("fingerprint", annotation.fingerprint());
        Set<String> ignoredFields = attributes.ignoredFields(annotation.ignoredFields(), fingerprint);
        Optional<FingerprintStrategy> strategy =
                ignoredFields.isEmpty() ? strategy(fingerprint) : Optional.of(FingerprintStrategy.AUTO);
        return new IdempotentMethod(
                found.method(),
                found.targetClass(),
                attributes.operation(annotation.operation()),
                attributes.expression("key", annotation.key()),
                Optional.of(attributes.text("header", annotation.header())).filter(StringUtils::hasText),
                annotation.required(),
                attributes.expression("scope", annotation.scope()),
                strategy.isPresent() ? Optional.empty() : attributes.expression("fingerprint", fingerprint),
                strategy,
                ignoredFields,
                annotation.transactional()
                        ? attributes.policy(annotation).withTransaction(transaction(found, signature))
                        : attributes.policy(annotation));
    }

    private TransactionSettings transaction(AnnotationLookup.Found found, String signature) {
        if (!TRANSACTIONS_PRESENT) {
            throw new InvalidIdempotentMethodException(
                    signature + " is transactional, but there are no transactions; add spring-boot-starter-jdbc or"
                            + " spring-boot-starter-data-jpa");
        }
        return new DeclaredTransactions(placeholders).of(found.method(), found.targetClass());
    }

    private static Optional<FingerprintStrategy> strategy(String text) {
        return Arrays.stream(FingerprintStrategy.values())
                .filter(strategy -> strategy.name().equals(text))
                .findFirst();
    }

    /** The attributes of one annotation. */
    private final class Attributes {

        private final String signature;

        private final ArgumentNames names;

        Attributes(String signature, ArgumentNames names) {
            this.signature = signature;
            this.names = names;
        }

        String text(String attribute, String text) {
            try {
                String resolved = placeholders.resolveStringValue(text);
                return resolved == null ? "" : resolved.strip();
            } catch (IllegalArgumentException unresolvable) {
                throw refused(attribute, unresolvable);
            }
        }

        Optional<ArgumentExpression> expression(String attribute, String text) {
            return Optional.of(text(attribute, text))
                    .filter(StringUtils::hasText)
                    .map(resolved -> parser.parse(resolved, attribute, signature, names));
        }

        String operation(String text) {
            String given = text("operation", text);
            String operation = given.isEmpty() ? signature : given;
            try {
                return new IdempotencyKey(operation, null, "any").operation();
            } catch (IllegalArgumentException unusable) {
                throw refused("operation", unusable);
            }
        }

        Set<String> ignoredFields(String[] paths, String fingerprint) {
            boolean automatic = fingerprint.isEmpty() || fingerprint.equals(FingerprintStrategy.AUTO.name());
            if (paths.length > 0 && !automatic) {
                throw refused(
                        "ignoredFields",
                        new IllegalArgumentException("only AUTO looks into a body; remove them, or the fingerprint"));
            }
            return Arrays.stream(paths)
                    .map(path -> text("ignoredFields", path))
                    .filter(StringUtils::hasText)
                    .collect(Collectors.toUnmodifiableSet());
        }

        OperationPolicy policy(Idempotent annotation) {
            OperationPolicy policy = defaultPolicy
                    .get()
                    .withOnFailure(annotation.onFailure())
                    .withOnAbandoned(annotation.onAbandoned())
                    .withRecordedFailures(Set.copyOf(List.of(annotation.recordFailures())));
            policy = with("lease", annotation.lease(), policy, OperationPolicy::withLease);
            policy = with("retention", annotation.retention(), policy, OperationPolicy::withRetention);
            return with("maxWait", annotation.maxWait(), policy, OperationPolicy::withMaxWait);
        }

        private OperationPolicy with(
                String attribute,
                String text,
                OperationPolicy policy,
                BiFunction<OperationPolicy, Duration, OperationPolicy> change) {
            String resolved = text(attribute, text);
            if (resolved.isEmpty()) {
                return policy;
            }
            try {
                return change.apply(policy, duration(resolved));
            } catch (IllegalArgumentException unusable) {
                throw refused(attribute, unusable);
            }
        }

        private InvalidIdempotentMethodException refused(String attribute, IllegalArgumentException cause) {
            return new InvalidIdempotentMethodException(
                    "The %s of %s cannot be used: %s".formatted(attribute, signature, cause.getMessage()), cause);
        }
    }

    private static Duration duration(String text) {
        if (Character.isDigit(text.charAt(text.length() - 1))) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write 30s, 24h or 7d");
        }
        return DurationFormatterUtils.detectAndParse(text);
    }
}
