package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;

class CheckedProxyTests extends WithCheckedBeans {

    @Test
    void aProxyOfAnyMakingIsProtected() {
        runner.withBean(ClientFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            CardPayments payments = context.getBean(CardPayments.class);
            assertThat(payments.pay("k")).isEqualTo(payments.pay("k"));
        });
    }

    @Test
    void aProxyOfAnyMakingIsCheckedByAllItsInterfaces() {
        runner.withInitializer(context -> context.getBeanFactory()
                        .registerSingleton("client", clientOf(InheritingKeyless.class, new Object())))
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(InheritingKeyless.class.getName() + ".pay(")
                        .hasMessageContaining("key = "));
    }

    @Test
    void aJdkProxyMayHaveFinalMethodsBehindIt() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(FinalBehindInterface.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Payments.class)))
                            .isTrue();
                    assertThat(context.getBean(Payments.class).pay("k"))
                            .isEqualTo(context.getBean(Payments.class).pay("k"));
                });
    }

    @Test
    void aJdkProxyWithoutTheMethodStopsTheStart() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(BesideInterface.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(BesideInterface.class.getName() + ".refund(")
                        .hasMessageContaining("interface"));
    }

    @ParameterizedTest
    @ValueSource(classes = {GenericPayments.class, InheritedPayments.class, InheritedGenericPayments.class})
    void aJdkProxyHasTheGenericAndInheritedMethodsOfItsInterfaces(Class<? extends Handler<Order>> type) {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(type)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    @SuppressWarnings("unchecked")
                    Handler<Order> handler = context.getBean(Handler.class);
                    assertThat(AopUtils.isJdkDynamicProxy(handler)).isTrue();
                    assertThat(handler.handle(new Order("o-1"))).isEqualTo(handler.handle(new Order("o-1")));
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {GenericPayments.class, InheritedPayments.class, InheritedGenericPayments.class})
    void aClassProxyProtectsGenericAndInheritedMethods(Class<? extends Handler<Order>> type) {
        runner.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            @SuppressWarnings("unchecked")
            Handler<Order> handler = context.getBean(Handler.class);
            assertThat(AopUtils.isCglibProxy(handler)).isTrue();
            assertThat(handler.handle(new Order("o-1"))).isEqualTo(handler.handle(new Order("o-1")));
        });
    }

    @Test
    void whatAJdkProxyDoesNotShowNeedsNoProtectionByTheClass() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(HiddenBesideInterface.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aClassProxyProtectsMethodsThatAreNotPublic() {
        runner.withBean(Hidden.class).run(context -> {
            assertThat(context).hasNotFailed();
            Hidden hidden = context.getBean(Hidden.class);
            assertThat(hidden.pay("k")).isEqualTo(hidden.pay("k"));
            assertThat(hidden.refund("k")).isEqualTo(hidden.refund("k"));
        });
    }

    private static <T> T clientOf(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.invoke(target, arguments)));
    }

    static class BesideInterface implements Supplier<String> {

        @Override
        public String get() {
            return "x";
        }

        @Idempotent("#p0")
        public void refund(String id) {}
    }

    interface KeylessPayments {

        @Idempotent
        int pay(String id);
    }

    interface InheritingKeyless extends KeylessPayments {}

    /** Inherits the annotated method, as interfaces of repositories do. */
    interface CardPayments extends Payments {}

    /** Gives a proxy of its own making, as factories of repositories and HTTP clients do. */
    static class ClientFactory implements FactoryBean<CardPayments> {

        @Override
        public CardPayments getObject() {
            return clientOf(CardPayments.class, new CountingPayments());
        }

        @Override
        public Class<?> getObjectType() {
            return CardPayments.class;
        }
    }

    record Order(String id) {}

    @Idempotent("#p0.id")
    interface Handler<T> {

        int handle(T order);
    }

    static class GenericPayments implements Handler<Order> {

        private int runs;

        @Override
        public int handle(Order order) {
            return ++runs;
        }
    }

    static class OrderPayments {

        private int runs;

        public int handle(Order order) {
            return ++runs;
        }
    }

    static class InheritedPayments extends OrderPayments implements Handler<Order> {}

    static class AnyPayments<T> {

        private int runs;

        public int handle(T order) {
            return ++runs;
        }
    }

    static class InheritedGenericPayments extends AnyPayments<Order> implements Handler<Order> {}

    @Idempotent("#p0")
    static class HiddenBesideInterface implements Function<String, String> {

        @Override
        public String apply(String id) {
            return text(1);
        }

        String text(Integer number) {
            return "x" + number;
        }
    }

    @Idempotent("#p0")
    static class Hidden {

        private int runs;

        int pay(String id) {
            return ++runs;
        }

        protected int refund(String id) {
            return ++runs;
        }
    }
}
