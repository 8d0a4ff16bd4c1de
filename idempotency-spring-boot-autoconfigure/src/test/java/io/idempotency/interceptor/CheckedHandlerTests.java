package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedHandlerTests extends WithCheckedBeans {

    @Test
    void theAnnotationOfAHandlerClassMeansItsHandlers() {
        runner.withBean(HandlerMethods.class, OnlyCreate::new)
                .withBean(HandlerClass.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    HandlerClass bean = context.getBean(HandlerClass.class);
                    assertThat(bean.describe("k")).isNotEqualTo(bean.describe("k"));
                    assertThat(bean.create("k")).isEqualTo(bean.create("k"));
                    assertThat(bean.annotated("k")).isEqualTo(bean.annotated("k"));
                });
    }

    @Test
    void aHandlerClassWithoutHandlersNeedsNoProxy() {
        runner.withBean(HandlerMethods.class, OnlyCreate::new)
                .withBean(HandlerClassWithoutHandlers.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void handlersMayOmitTheirKeyAndGiveWhatTheyWant() {
        runner.withBean(Keyless.class)
                .withBean(OfObject.class)
                .withBean(HandlerMethods.class, () -> new AllAreHandlers(List.of()))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void problemsOfHandlersStopTheStart() {
        runner.withBean(Keyless.class)
                .withBean(HandlerMethods.class, () -> new AllAreHandlers(List.of("It answers GET; remove it")))
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(Keyless.class.getName() + ".pay(java.lang.String): It answers GET"));
    }

    @Idempotent(key = "#id")
    static class HandlerClass {

        private int runs;

        public int create(String id) {
            return ++runs;
        }

        public int describe(String failure) {
            return ++runs;
        }

        public final void setRuns(int runs) {
            this.runs = runs;
        }

        @Idempotent(key = "#p0")
        public int annotated(String key) {
            return ++runs;
        }
    }

    @Idempotent
    static class HandlerClassWithoutHandlers {

        public final void describe(String failure) {}
    }

    record OnlyCreate() implements HandlerMethods {

        @Override
        public boolean isHandlerClass(Class<?> beanClass) {
            return beanClass.getSimpleName().startsWith("HandlerClass");
        }

        @Override
        public boolean isHandler(Method method, Class<?> beanClass) {
            return method.getName().equals("create");
        }

        @Override
        public boolean recordsReturnValue(IdempotentMethod handler) {
            return false;
        }

        @Override
        public List<String> problems(IdempotentMethod handler) {
            return List.of();
        }
    }
}
