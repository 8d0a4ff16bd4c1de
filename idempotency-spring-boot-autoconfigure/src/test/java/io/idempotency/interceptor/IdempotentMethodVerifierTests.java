package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class IdempotentMethodVerifierTests {

    private final ApplicationContextRunner storeless = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    AopAutoConfiguration.class));

    private final ApplicationContextRunner runner =
            storeless.withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(100));

    @ParameterizedTest
    @MethodSource
    void aMethodThatCannotBeProtectedStopsTheStart(Class<?> type, String method, String remedy) {
        runner.withBean(type)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(type.getName() + "." + method + "(")
                        .hasMessageContaining(remedy));
    }

    static Stream<Arguments> aMethodThatCannotBeProtectedStopsTheStart() {
        return Stream.of(
                Arguments.of(Private.class, "pay", "private"),
                Arguments.of(Static.class, "pay", "static"),
                Arguments.of(Final.class, "pay", "is final"),
                Arguments.of(FinalOfClass.class, "pay", "final"),
                Arguments.of(FinalClass.class, "pay", "class is final"),
                Arguments.of(Keyless.class, "pay", "key = "),
                Arguments.of(Raw.class, "pay", "RAW"),
                Arguments.of(Ignoring.class, "pay", "ignoredFields"),
                Arguments.of(UnknownArgument.class, "pay", "#order"),
                Arguments.of(BadDuration.class, "pay", "retention"),
                Arguments.of(OfMono.class, "pay", "for each subscriber"),
                Arguments.of(OfFlux.class, "pay", "for each subscriber"),
                Arguments.of(OfStream.class, "pay", "Stream"),
                Arguments.of(OfIterator.class, "pay", "Iterator"),
                Arguments.of(OfInputStream.class, "pay", "InputStream"),
                Arguments.of(OfObject.class, "pay", "java.lang.Object"));
    }

    @Test
    void oneExceptionNamesAllProblems() {
        runner.withBean(Private.class)
                .withBean(Keyless.class)
                .withBean(OfMono.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(Private.class.getName())
                        .hasMessageContaining(Keyless.class.getName())
                        .hasMessageContaining(OfMono.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beansThatDoNotExistYetAreCheckedByTheirTypes(boolean lazy) {
        runner.withBean(Private.class, Private::new, definition -> {
                    definition.setLazyInit(lazy);
                    definition.setScope(lazy ? "singleton" : "prototype");
                })
                .run(context -> assertThat(failure(context)).hasMessageContaining(Private.class.getName()));
    }

    @Test
    void lazyInitialisationOfEverythingDoesNotSwitchTheCheckOff() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Final.class)
                .withBean(FinalClass.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(Final.class.getName() + ".pay(java.lang.String) is final")
                        .hasMessageContaining("its class is final"));
    }

    @Test
    void checkingCreatesNoBean() {
        runner.withBean(Fine.class, Fine::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeanFactory().containsSingleton(context.getBeanNamesForType(Fine.class)[0]))
                            .isFalse();
                });
    }

    @Test
    void aBeanThatWasCreatedTooEarlyStopsTheStart() {
        runner.withUserConfiguration(EarlyConfiguration.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining("'fine'")
                        .hasMessageContaining(Fine.class.getName())
                        .hasMessageContaining("too early"));
    }

    @Test
    void aBeanThatWasCreatedByHandStopsTheStart() {
        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("byHand", new Fine()))
                .run(context -> assertThat(failure(context)).hasMessageContaining("'byHand'"));
    }

    @Test
    void aClassWithMissingPartsIsNoneOfOurs(@TempDir Path directory) throws Exception {
        Class<?> incomplete = Compiled.load(
                directory,
                "Incomplete",
                Map.of(
                        "Missing", "public class Missing {}",
                        "Incomplete", "public class Incomplete { public void use(Missing missing) {} }"));
        Files.delete(directory.resolve("Missing.class"));
        Object bean = incomplete.getConstructor().newInstance();

        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("incomplete", bean))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aScopedBeanIsCheckedBehindItsProxy() {
        runner.withUserConfiguration(ScopedConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Fine.class).pay("k"))
                    .isEqualTo(context.getBean(Fine.class).pay("k"));
        });
    }

    @Test
    void theProductOfAFactoryIsProtected() {
        runner.withBean(PaymentsFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            Payments payments = context.getBean(Payments.class);
            assertThat(payments.pay("k")).isEqualTo(payments.pay("k"));
        });
    }

    @Test
    void theProductOfAFactoryIsCheckedByItsClass() {
        runner.withBean(FinalPaymentsFactory.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(FinalBehindInterface.class.getName() + ".pay(")
                        .hasMessageContaining("final"));
    }

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

    @Test
    void aStoreIsNeededOnlyWhereSomethingIsAnnotated() {
        storeless.run(context -> assertThat(context).hasNotFailed());
        storeless
                .withBean(Fine.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseMessage("There is no store for protected operations"));
    }

    @Test
    void anAnnotatedMethodWithoutAnEngineStopsTheStart() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(IdempotentMethodAutoConfiguration.class))
                .withBean("idempotencyDefaultPolicy", OperationPolicy.class, () -> OperationPolicy.DEFAULT)
                .withBean(OutcomeCodecFactory.class, () -> new JsonOutcomeCodecFactory(100))
                .withBean(Fine.class)
                .run(context ->
                        assertThat(context).getFailure().hasMessageContaining(IdempotencyOperations.class.getName()));
    }

    private static Throwable failure(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof InvalidIdempotentMethodException)) {
            failure = failure.getCause();
        }
        assertThat(failure).isNotNull();
        return failure;
    }

    private static <T> T clientOf(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.invoke(target, arguments)));
    }

    static class Fine {

        private int runs;

        @Idempotent("#p0")
        public int pay(String id) {
            return ++runs;
        }
    }

    static class Private {

        @Idempotent("#p0")
        @SuppressWarnings("unused")
        private void pay(String id) {}
    }

    static class Static {

        @Idempotent("#p0")
        public static void pay(String id) {}
    }

    static class Final {

        @Idempotent("#p0")
        public final void pay(String id) {}
    }

    @Idempotent("#p0")
    static class FinalOfClass {

        public final void pay(String id) {}
    }

    static final class FinalClass {

        @Idempotent("#p0")
        public void pay(String id) {}
    }

    static class Keyless {

        @Idempotent
        public void pay(String id) {}
    }

    static class Raw {

        @Idempotent(key = "#p0", fingerprint = "RAW")
        public void pay(String id) {}
    }

    static class Ignoring {

        @Idempotent(key = "#p0", ignoredFields = "sentAt")
        public void pay(String id) {}
    }

    static class UnknownArgument {

        @Idempotent("#order.id")
        public void pay(String id) {}
    }

    static class BadDuration {

        @Idempotent(key = "#p0", retention = "soon")
        public void pay(String id) {}
    }

    static class OfMono {

        @Idempotent("#p0")
        public Mono<String> pay(String id) {
            return Mono.just("x");
        }
    }

    static class OfFlux {

        @Idempotent("#p0")
        public Flux<String> pay(String id) {
            return Flux.just("x");
        }
    }

    static class OfStream {

        @Idempotent("#p0")
        public Stream<String> pay(String id) {
            return Stream.of("x");
        }
    }

    static class OfIterator {

        @Idempotent("#p0")
        public Iterator<String> pay(String id) {
            return List.of("x").iterator();
        }
    }

    static class OfInputStream {

        @Idempotent("#p0")
        public InputStream pay(String id) {
            return InputStream.nullInputStream();
        }
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

    static class BesideInterface implements Supplier<String> {

        @Override
        public String get() {
            return "x";
        }

        @Idempotent("#p0")
        public void refund(String id) {}
    }

    static class CountingPayments implements Payments {

        private int runs;

        @Override
        public int pay(String id) {
            return ++runs;
        }
    }

    static class PaymentsFactory implements FactoryBean<Payments> {

        @Override
        public Payments getObject() {
            return new CountingPayments();
        }

        @Override
        public Class<?> getObjectType() {
            return Payments.class;
        }
    }

    static class FinalPaymentsFactory extends PaymentsFactory {

        @Override
        public Payments getObject() {
            return new FinalBehindInterface();
        }
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

    @Configuration(proxyBeanMethods = false)
    static class EarlyConfiguration {

        @Bean
        static EagerPostProcessor eagerPostProcessor(Fine fine) {
            return new EagerPostProcessor(fine);
        }

        @Bean
        static Fine fine() {
            return new Fine();
        }
    }

    /** Is created, with what it needs, before the proxies are. */
    record EagerPostProcessor(Fine fine) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public @Nullable Object postProcessBeforeInitialization(Object bean, String name) {
            return bean;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedConfiguration {

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Fine fine() {
            return new Fine();
        }
    }
}
