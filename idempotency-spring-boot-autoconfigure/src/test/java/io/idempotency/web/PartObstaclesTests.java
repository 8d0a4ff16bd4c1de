package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
import io.idempotency.interceptor.ArgumentExpression;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartObstaclesTests {

    private static final IdempotentMethod PLAIN = method(OperationPolicy.DEFAULT);

    private final PartObstacles obstacles = new PartObstacles(FingerprintStrategy.AUTO);

    @Test
    void aHandlerThatAsksForTheSameIsAPart() {
        assertThat(obstacles.between(PLAIN, PLAIN)).isEmpty();
    }

    @Test
    void aDifferentKeyIsNamed() {
        IdempotentMethod keyed = method(Optional.of(new Expression()), Optional.empty(), Optional.empty());
        IdempotentMethod otherHeader = method(Optional.empty(), Optional.of("webhook-id"), Optional.empty());

        assertThat(reason(keyed, PLAIN)).contains("the key of the first is made by an expression");
        assertThat(reason(PLAIN, otherHeader)).contains("different headers");
        assertThat(obstacles.between(otherHeader, otherHeader)).isEmpty();
    }

    @Test
    void aScopeOfEitherIsNamed() {
        IdempotentMethod scoped = method(Optional.empty(), Optional.empty(), Optional.of(new Expression()));

        assertThat(reason(scoped, PLAIN)).contains("scope expression");
        assertThat(reason(PLAIN, scoped)).contains("scope expression");
    }

    @Test
    void aTransactionOfEitherIsNamed() {
        IdempotentMethod transactional = method(OperationPolicy.DEFAULT.withTransaction(TransactionSettings.DEFAULT));

        assertThat(reason(transactional, transactional)).contains("a transactional handler");
        assertThat(reason(PLAIN, transactional)).contains("a transactional handler");
    }

    @Test
    void whatDiffersOfThePolicyIsNamed() {
        OperationPolicy other = OperationPolicy.DEFAULT
                .withOnFailure(OnFailure.HOLD)
                .withRetention(Duration.ofDays(7))
                .withRecordedFailures(Set.of(IllegalStateException.class));

        assertThat(reason(PLAIN, method(other)))
                .contains("would differ in retention, onFailure, recordFailures; give both the same");
    }

    @Test
    void everyAttributeOfThePolicyHasAName() {
        assertThat(OperationPolicy.class.getRecordComponents()).hasSize(PartObstacles.POLICY.size() + 1);
    }

    @Test
    void aPartMayCompareLessButNotMore() {
        IdempotentMethod exact = comparing(FingerprintStrategy.RAW);
        IdempotentMethod nothing = comparing(FingerprintStrategy.NONE);
        IdempotentMethod ignoring = comparing(FingerprintStrategy.AUTO, "sentAt");
        IdempotentMethod ignoringMore = comparing(FingerprintStrategy.AUTO, "sentAt", "trace");
        IdempotentMethod byExpression = comparing(Optional.of(new Expression()), Optional.empty(), Set.of());

        assertThat(obstacles.between(exact, PLAIN)).isEmpty();
        assertThat(obstacles.between(PLAIN, nothing)).isEmpty();
        assertThat(obstacles.between(PLAIN, ignoring)).isEmpty();
        assertThat(obstacles.between(ignoring, ignoringMore)).isEmpty();
        assertThat(obstacles.between(ignoringMore, ignoring)).isPresent();
        assertThat(obstacles.between(ignoring, PLAIN)).isPresent();
        assertThat(obstacles.between(PLAIN, exact)).isPresent();
        assertThat(reason(nothing, PLAIN)).contains("the first does not compare all that the second does");
        assertThat(obstacles.between(byExpression, byExpression)).isPresent();
        assertThat(obstacles.between(byExpression, nothing)).isEmpty();
    }

    @Test
    void whatAnAnnotationDoesNotSayIsSaidByTheConfiguration() {
        assertThat(new PartObstacles(FingerprintStrategy.NONE).between(comparing(FingerprintStrategy.NONE), PLAIN))
                .isEmpty();
        assertThat(new PartObstacles(FingerprintStrategy.RAW).between(comparing(FingerprintStrategy.AUTO), PLAIN))
                .isPresent();
    }

    private String reason(IdempotentMethod first, IdempotentMethod second) {
        return obstacles.between(first, second).orElseThrow();
    }

    private static IdempotentMethod comparing(FingerprintStrategy strategy, String... ignoredFields) {
        return comparing(Optional.empty(), Optional.of(strategy), Set.of(ignoredFields));
    }

    private static IdempotentMethod comparing(
            Optional<ArgumentExpression> fingerprint,
            Optional<FingerprintStrategy> strategy,
            Set<String> ignoredFields) {
        return method(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                fingerprint,
                strategy,
                ignoredFields,
                OperationPolicy.DEFAULT);
    }

    private static IdempotentMethod method(OperationPolicy policy) {
        return method(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                policy);
    }

    private static IdempotentMethod method(
            Optional<ArgumentExpression> key, Optional<String> header, Optional<ArgumentExpression> scope) {
        return method(key, header, scope, Optional.empty(), Optional.empty(), Set.of(), OperationPolicy.DEFAULT);
    }

    private static IdempotentMethod method(
            Optional<ArgumentExpression> key,
            Optional<String> header,
            Optional<ArgumentExpression> scope,
            Optional<ArgumentExpression> fingerprint,
            Optional<FingerprintStrategy> strategy,
            Set<String> ignoredFields,
            OperationPolicy policy) {
        return new IdempotentMethod(
                anyMethod(),
                PartObstaclesTests.class,
                "operation",
                key,
                header,
                true,
                scope,
                fingerprint,
                strategy,
                ignoredFields,
                policy);
    }

    private static Method anyMethod() {
        return PartObstaclesTests.class.getDeclaredMethods()[0];
    }

    /** Never asked for its value. */
    private static final class Expression implements ArgumentExpression {

        @Override
        public String text(@Nullable Object target, Method method, @Nullable Object[] arguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object value(@Nullable Object target, Method method, @Nullable Object[] arguments) {
            throw new UnsupportedOperationException();
        }
    }
}
