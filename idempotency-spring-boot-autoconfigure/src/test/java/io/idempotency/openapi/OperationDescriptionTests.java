package io.idempotency.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.OnStoreFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperationDescriptionTests {

    @Test
    void aQuotedKeyIsDescribedWithItsQuotes() {
        Schema<?> schema = keySchema(settings(true, null, FingerprintStrategy.AUTO));

        Pattern pattern = Pattern.compile(schema.getPattern());
        assertThat(List.of("\"abc\"", "\"a b\"", "\"a\\\"b\\\\\""))
                .allMatch(key -> pattern.matcher(key).matches());
        assertThat(List.of("abc", "\"abc", "\"\"", "\"a\"b\"", "\"a\\b\""))
                .noneMatch(key -> pattern.matcher(key).matches());
        assertThat(schema.getMaxLength()).isNull();
    }

    @Test
    void thePatternOfAQuotedKeyStandsBetweenItsQuotes() {
        assertThat(keySchema(settings(true, "a|b", FingerprintStrategy.AUTO)).getPattern())
                .isEqualTo("^\"(?:a|b)\"$");
    }

    @Test
    void withoutAPatternOnlyTheLengthIsDescribed() {
        Schema<?> schema = keySchema(settings(false, null, FingerprintStrategy.AUTO));

        assertThat(schema.getPattern()).isNull();
        assertThat(schema.getMinLength()).isEqualTo(1);
        assertThat(schema.getMaxLength()).isEqualTo(255);
    }

    @Test
    void whatProceedsWithoutAStoreIsNotUnavailable() {
        OperationPolicy proceeding = OperationPolicy.DEFAULT.withOnStoreFailure(OnStoreFailure.PROCEED);

        assertThat(statuses(FingerprintStrategy.AUTO, proceeding)).doesNotContain("503");
        assertThat(statuses(FingerprintStrategy.AUTO, proceeding.withTransaction(TransactionSettings.DEFAULT)))
                .contains("503");
    }

    @Test
    void theConfiguredFingerprintHoldsWhereTheOperationSaysNothing() {
        assertThat(statuses(FingerprintStrategy.NONE, OperationPolicy.DEFAULT)).containsExactly("400", "409", "503");
        assertThat(statuses(FingerprintStrategy.RAW, OperationPolicy.DEFAULT))
                .containsExactly("400", "409", "422", "503");
    }

    @Test
    void aSharedResponseIsLeftAlone() {
        ApiResponse shared = new ApiResponse().$ref("#/components/responses/Created");
        Operation operation = new Operation().responses(new ApiResponses().addApiResponse("201", shared));

        describe(settings(false, null, FingerprintStrategy.AUTO), OperationPolicy.DEFAULT, operation);

        assertThat(shared.getHeaders()).isNull();
    }

    private static Schema<?> keySchema(WebSettings settings) {
        Operation operation = new Operation();
        describe(settings, OperationPolicy.DEFAULT, operation);
        return operation.getParameters().get(0).getSchema();
    }

    private static Set<String> statuses(FingerprintStrategy fingerprint, OperationPolicy policy) {
        Operation operation = new Operation();
        describe(settings(false, null, fingerprint), policy, operation);
        return operation.getResponses().keySet();
    }

    private static void describe(WebSettings settings, OperationPolicy policy, Operation operation) {
        IdempotentMethod handler = new IdempotentMethod(
                Object.class.getMethods()[0],
                Object.class,
                "order",
                Optional.empty(),
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                policy);
        new OperationDescription(settings, new Components()).add(handler, false, operation, new PathItem());
    }

    private static WebSettings settings(boolean strict, @Nullable String pattern, FingerprintStrategy fingerprint) {
        return new WebSettings(
                List.of("Idempotency-Key"),
                strict,
                Optional.ofNullable(pattern).map(Pattern::compile),
                255,
                1_000,
                1_000,
                List.of(),
                fingerprint);
    }
}
