package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications whose annotated methods are checked when they start. */
abstract class WithCheckedBeans {

    final ApplicationContextRunner storeless = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    AopAutoConfiguration.class));

    final ApplicationContextRunner runner =
            storeless.withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(100));

    static Throwable failure(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof InvalidIdempotentMethodException)) {
            failure = failure.getCause();
        }
        assertThat(failure).isNotNull();
        return failure;
    }

    static class Private {

        @Idempotent("#p0")
        @SuppressWarnings("unused")
        private void pay(String id) {}
    }

    static class Keyless {

        @Idempotent
        public void pay(String id) {}
    }

    static class OfObject {

        @Idempotent("#p0")
        public Object pay(String id) {
            return "x";
        }
    }

    interface Payments {

        @Idempotent("#p0")
        int pay(String id);
    }

    static class FinalBehindInterface implements Payments {

        private int runs;

        @Override
        public final int pay(String id) {
            return ++runs;
        }
    }

    static class CountingPayments implements Payments {

        private int runs;

        @Override
        public int pay(String id) {
            return ++runs;
        }
    }

    /** Says that every method is a handler of requests, and what is wrong with each. */
    record AllAreHandlers(List<String> all) implements HandlerMethods {

        @Override
        public boolean isHandlerClass(Class<?> beanClass) {
            return true;
        }

        @Override
        public boolean isHandler(Method method, Class<?> beanClass) {
            return true;
        }

        @Override
        public boolean recordsReturnValue(IdempotentMethod handler) {
            return false;
        }

        @Override
        public List<String> problems(IdempotentMethod handler) {
            return all;
        }
    }
}
