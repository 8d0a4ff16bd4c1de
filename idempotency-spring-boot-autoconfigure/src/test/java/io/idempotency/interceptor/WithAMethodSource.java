package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OperationPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

/** What is found out about annotated methods. */
abstract class WithAMethodSource {

    final MockEnvironment environment = new MockEnvironment();

    final AtomicInteger policies = new AtomicInteger();

    final AnnotationIdempotentMethodSource source = new AnnotationIdempotentMethodSource(
            () -> {
                policies.incrementAndGet();
                return OperationPolicy.DEFAULT;
            },
            environment::resolveRequiredPlaceholders,
            new DefaultListableBeanFactory(),
            List::of);

    Optional<IdempotentMethod> find(Class<?> type, String name, String... properties) {
        for (int index = 0; index < properties.length; index += 2) {
            environment.setProperty(properties[index], properties[index + 1]);
        }
        Method method = Arrays.stream(type.getMethods())
                .filter(candidate -> candidate.getName().equals(name) && !candidate.isBridge())
                .findFirst()
                .or(() -> Arrays.stream(type.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(name))
                        .findFirst())
                .orElseThrow();
        return source.find(method, type);
    }

    static String text(IdempotentMethod method, Object... arguments) {
        return method.key().orElseThrow().text(null, method.method(), arguments);
    }

    interface Payments {

        @Idempotent(key = "#p0", operation = "interface method")
        void onInterfaceMethod(String id);
    }

    @Idempotent(key = "#p0", operation = "interface")
    interface Refunds {

        void onInterface(String id);

        default void onDefault(String id) {}
    }

    static class OfInterfaces implements Payments, Refunds {

        @Override
        public void onInterfaceMethod(String id) {}

        @Override
        public void onInterface(String id) {}

        public void ofNoInterface(String id) {}
    }
}
