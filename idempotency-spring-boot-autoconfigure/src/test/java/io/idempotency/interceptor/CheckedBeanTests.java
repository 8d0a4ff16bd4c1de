package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.json.JsonOutcomeCodecFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;

class CheckedBeanTests extends WithCheckedBeans {

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

    static class Fine {

        private int runs;

        @Idempotent("#p0")
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
