package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.ReflectionUtils;

/** What HTTP clients of the JDK and Tomcat do not let through, and the settings. */
class HeaderKeyTests {

    @ParameterizedTest
    @ValueSource(
            strings = {"ké", "k\u0000", "k\u007f", "k\r\nX: y", "\u00a0", "\u001ck", "\"k\u00e9\"", "k\ud83d\ude00"})
    void onlyPrintableAsciiIsAccepted(String value) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> read(false, null, value))
                .withMessageNotContaining(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k",
                " k\t",
                "\"k\"",
                "\"k\";a",
                "\"k\";a=1; b=-1.5;*c=tok/en;d=:aGk=:;e=?0;f=@12",
                "\"k\";a=\"x,; \\\"y\"",
                "\"k\";a=%\"f%c3%bcr; 1+1, %22%25%22\";b",
            })
    void surroundingSpaceAndParametersMeanNothing(String value) {
        assertThat(read(false, null, value)).isEqualTo("k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"k\" ;a=1",
                "\"k\";",
                "\"k\";=1",
                "\"k\";A=1",
                "\"k\";a=",
                "\"k\";a=\"open",
                "\"k\";a=\"\\x\"",
                "\"k\";a=?2",
                "\"k\";a=%\"open",
                "\"k\";a=%\"%C3%BC\"",
                "\"k\";a=%\"%c3\"",
                "\"k\";a=%\"100%\"",
                "\"k\";a=1;",
                "\"k\";a=1, \"l\"",
                "\"k\"l"
            })
    void whatIsNoParameterAfterAQuotedKeyIsMalformed(String value) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class).isThrownBy(() -> read(false, null, value));
    }

    @Test
    void strictAcceptsQuotedKeysOnly() {
        assertThat(read(true, null, "\"k\"")).isEqualTo("k");
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class).isThrownBy(() -> read(true, null, "k"));
    }

    @Test
    void aPatternIsMatchedByTheWholeKeyInEitherForm() {
        assertThat(read(false, "[0-9]{3}", "123")).isEqualTo("123");
        assertThat(read(false, "[0-9]{3}", "\"123\"")).isEqualTo("123");
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> read(false, "[0-9]{3}", "1234"));
    }

    private static String read(boolean strict, @Nullable String pattern, String value) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader("Idempotency-Key", value);
        WebSettings settings = new WebSettings(
                List.of("Idempotency-Key"),
                strict,
                Optional.ofNullable(pattern).map(Pattern::compile),
                255,
                1,
                1,
                List.of(),
                FingerprintStrategy.AUTO);
        return new HeaderKey(settings).read(request, method()).orElseThrow();
    }

    private static IdempotentMethod method() {
        return new IdempotentMethod(
                ReflectionUtils.getAllDeclaredMethods(Object.class)[0],
                Object.class,
                "operation",
                Optional.empty(),
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                OperationPolicy.DEFAULT);
    }
}
