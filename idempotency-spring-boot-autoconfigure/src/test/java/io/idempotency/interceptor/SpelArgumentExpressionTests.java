package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.FramedDigest;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

class SpelArgumentExpressionTests {

    private static final Method METHOD =
            Objects.requireNonNull(ReflectionUtils.findMethod(Shop.class, "pay", Object.class, Object.class));

    private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

    private final ArgumentExpressionParser parser = new ArgumentExpressionParser(beanFactory);

    @ParameterizedTest
    @ValueSource(strings = {"#first", "#p0", "#a0"})
    void argumentsAreNamedOrCounted(String expression) {
        assertThat(key(expression, "k-1", "other")).isEqualTo("k-1");
    }

    @Test
    void propertiesAreRead() {
        assertThat(key("#first.id", new Order("o-1", null), null)).isEqualTo("o-1");
        assertThat(key("#first.id + '/' + #second", new Order("o-1", null), 7)).isEqualTo("o-1/7");
    }

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "first",
                "first.id",
                "'order-' + first",
                "first ?: 'none'",
                "#p0 == null ? first : 'x'",
                "#sha256(first)",
                "#p0.equals(first)",
                "{first}",
                "T(String).valueOf(first)",
                "new String(first)",
                "(first).id",
                "!first"
            })
    void aNameWithoutItsHashIsRefusedWithTheOneThatIsMeant(String expression) {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression(expression))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .withMessageContaining("#first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"getId()", "[0]", "#this", "#this.id", "![#this]", "?[true]", "#p0 + hashCode()"})
    void whatBelongsToNothingIsRefused(String expression) {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression(expression))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .withMessageContaining("#p0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#p0?.id",
                "#p1.?[id == 'o-2'].![id]",
                "#p1.?[#this.id == 'o-2'].![toString()]",
                "#p1.![#sha256(id)]",
                "#p1[0].id",
                "{name: #p0}[name].id",
                "T(java.lang.Math).max(1, 2)",
                "T(java.time.DayOfWeek).MONDAY.name()",
                "new java.math.BigDecimal('1').toString()",
                "'constant'.length()",
                "#p0 instanceof T(String) ? 'text' : 'other'",
                "@tenant.current()"
            })
    void whatFollowsSomethingIsNoName(String expression) {
        beanFactory.registerSingleton("tenant", new Tenant());

        assertThat(key(expression, new Order("o-1", null), List.of(new Order("o-2", null))))
                .isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"''.concat(#p0.ref)", "T(java.util.Objects).requireNonNull(#p0.ref)"})
    void aNullThatACalledMethodRefusesIsAMissingKey(String expression) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, new Order("o-1", null), null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"T(java.util.UUID).fromString(#p0.id)", "#p0.id.substring(50)"})
    void aValueThatACalledMethodRefusesIsAMalformedKey(String expression) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, new Order("secret-1", null), null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .withMessageNotContaining("secret")
                .withNoCause()
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MALFORMED);
    }

    @Test
    void anExpressionThatFailsNamesMethodAndExpression() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> key("#p0.nowhere()", "k-1", null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("#p0.nowhere()");
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression("#p0.nowhere()").value(null, METHOD, new Object[] {"k-1", null}));
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression("''.concat(#p1)").value(null, METHOD, new Object[] {"k-1", null}))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("''.concat(#p1)");
    }

    @Test
    void whatABeanThrowsIsTheCauseOfAFailure() {
        beanFactory.registerSingleton("tenant", new Tenant());

        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> key("@tenant.unknown()", "k-1", null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("@tenant.unknown()")
                .withCauseInstanceOf(IllegalStateException.class);
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

    @Test
    void aClassWithoutParameterNamesIsToldFromOneThatHasThem(@TempDir Path directory) throws Exception {
        Class<?> shop = Compiled.load(
                directory, "Shop", Map.of("Shop", "public class Shop { public void pay(String orderId) {} }"));
        Method method = shop.getMethod("pay", String.class);
        ArgumentNames names = ArgumentNames.of(method, method);

        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> parser.parse("#orderId", "key", "Shop.pay", names))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("#orderId")
                .withMessageContaining("-parameters")
                .withMessageContaining("#p0");
        assertThat(parser.parse("#p0", "key", "Shop.pay", names).text(null, method, new Object[] {"k-1"}))
                .isEqualTo("k-1");
    }

    private String key(String expression, @Nullable Object first, @Nullable Object second) {
        return expression(expression).text(null, METHOD, new @Nullable Object[] {first, second});
    }

    private ArgumentExpression expression(String expression) {
        return parser.parse(expression, "key", Signature.of(METHOD, Shop.class), ArgumentNames.of(METHOD, METHOD));
    }

    private static String digest(String... parts) {
        return HexFormat.of().formatHex(FramedDigest.sha256(parts));
    }

    static final class Shop {

        void pay(Object first, Object second) {}
    }

    enum Plan {
        ANNUAL {
            @Override
            public String toString() {
                return "once a year";
            }
        }
    }

    public record Order(String id, @Nullable String ref) {

        public List<String> getEmptyList() {
            return Collections.unmodifiableList(new ArrayList<>());
        }

        public String getBlank() {
            return " \t";
        }

        public Optional<String> getNone() {
            return Optional.empty();
        }
    }

    public static final class Tenant {

        public String current() {
            return "acme";
        }

        public String unknown() {
            throw new IllegalStateException("no tenant");
        }
    }
}
