package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameInExpressionTests extends WithExpressions {

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
}
