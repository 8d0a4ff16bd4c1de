package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.FramedDigest;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpelArgumentExpressionTests extends WithExpressions {

    @ParameterizedTest
    @MethodSource
    void valuesWithAStableTextAreKeys(Object value, String text) {
        assertThat(key("#p0", value, null)).isEqualTo(text);
    }

    static Stream<Arguments> valuesWithAStableTextAreKeys() {
        return Stream.of(
                Arguments.of(new StringBuilder("k"), "k"),
                Arguments.of(42L, "42"),
                Arguments.of(new BigDecimal("1.50"), "1.50"),
                Arguments.of(true, "true"),
                Arguments.of('x', "x"),
                Arguments.of(Plan.ANNUAL, "ANNUAL"),
                Arguments.of(
                        UUID.fromString("7f1c0f0e-0000-4000-8000-000000000001"),
                        "7f1c0f0e-0000-4000-8000-000000000001"),
                Arguments.of(Instant.EPOCH, "1970-01-01T00:00:00Z"),
                Arguments.of(LocalDate.EPOCH, "1970-01-01"),
                Arguments.of(Duration.ofSeconds(1), "PT1S"),
                Arguments.of(URI.create("urn:a"), "urn:a"),
                Arguments.of(new byte[] {0, -1}, "00ff"),
                Arguments.of(Optional.of("k"), "k"),
                Arguments.of(List.of("a", 1), digest("a", "1")),
                Arguments.of(new String[] {"a", "b"}, digest("a", "b")),
                Arguments.of(new int[] {1, 2}, digest("1", "2")),
                Arguments.of(List.of(List.of("a"), "b"), digest(digest("a"), "b")),
                Arguments.of(new LinkedHashSet<>(List.of("b", "a")), digest("a", "b")));
    }

    @Test
    void digestsFrameTheirParts() {
        assertThat(key("#sha256(#p0, #p1)", "ab", "c"))
                .isEqualTo(digest("ab", "c"))
                .isNotEqualTo(key("#sha256(#p0, #p1)", "a", "bc"));
        assertThat(key("#sha256(#p0.id, 'webhook', #p1)", new Order("o-1", null), 7))
                .isEqualTo(digest("o-1", "webhook", "7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#p0",
                "#p1",
                "#p1.id",
                "#p1.toString()",
                "#p1[0]",
                "'order-' + #p1",
                "#p1 + '-order'",
                "'a' + #p0.ref + 'b'",
                "('x' + #p0.ref).toUpperCase()",
                "#p0.id == 'o-1' ? 'x' + #p0.ref : 'y'",
                "#p1 ?: 'x' + #p0.ref",
                "{#p0.id, #p0.ref}",
                "#sha256(#p0.id, #p0.ref)",
                "#sha256(#p1)",
                "#sha256()",
                "'x' + #sha256(#p0.ref)",
                "#p0.emptyList",
                "#p0.blank",
                "#p0.none"
            })
    void anIncompleteKeyNamesMethodAndExpression(String expression) {
        Object first = expression.equals("#p0") ? " " : new Order("o-1", null);

        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, first, null))
                .withMessageContaining("Shop.pay(java.lang.Object,java.lang.Object)")
                .withMessageContaining("'" + expression + "'")
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#p0.ref == null ? 'none' : 'x' + #p0.ref",
                "#p0.ref ?: 'none'",
                "'none' ?: 'x' + #p0.ref",
                "#p0.ref != null && ('x' + #p0.ref).length() > 0 ? 'some' : 'none'"
            })
    void aNullThatIsHandledIsNone(String expression) {
        assertThat(key(expression, new Order("o-1", null), null)).isEqualTo("none");
    }

    @Test
    void numbersThatAreAddedAreNoConcatenation() {
        assertThat(key("#p0 + #p1", 1, 2)).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#p0", "#sha256('a', #p0)", "{#p0}"})
    void aValueWithoutAStableTextIsAnError(String expression) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, new Order("jane@example.com", null), null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .withMessageContaining(Order.class.getName() + " has no stable text")
                .withMessageNotContaining("jane")
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MALFORMED);
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, Map.of("a", "b"), null));
    }

    @Test
    void beansAreNamed() {
        beanFactory.registerSingleton("tenant", new Tenant());

        assertThat(key("@tenant.current() + '/' + #p0", "k-1", null)).isEqualTo("acme/k-1");
    }

    @Test
    void aValueMayBeAnything() {
        Order order = new Order("o-1", null);

        assertThat(expression("#first").value(null, METHOD, new Object[] {order, null}))
                .isSameAs(order);
        assertThat(expression("#second").value(null, METHOD, new Object[] {order, null}))
                .isNull();
    }

    private static String digest(String... parts) {
        return HexFormat.of().formatHex(FramedDigest.sha256(parts));
    }

    enum Plan {
        ANNUAL {
            @Override
            public String toString() {
                return "once a year";
            }
        }
    }
}
