package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/** Expressions over the arguments of a method. */
abstract class WithExpressions {

    static final Method METHOD =
            Objects.requireNonNull(ReflectionUtils.findMethod(Shop.class, "pay", Object.class, Object.class));

    final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

    final ArgumentExpressionParser parser = new ArgumentExpressionParser(beanFactory);

    String key(String expression, @Nullable Object first, @Nullable Object second) {
        return expression(expression).text(null, METHOD, new @Nullable Object[] {first, second});
    }

    ArgumentExpression expression(String expression) {
        return parser.parse(expression, "key", Signature.of(METHOD, Shop.class), ArgumentNames.of(METHOD, METHOD));
    }

    static final class Shop {

        void pay(Object first, Object second) {}
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
