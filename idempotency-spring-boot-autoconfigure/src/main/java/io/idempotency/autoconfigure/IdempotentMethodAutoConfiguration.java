package io.idempotency.autoconfigure;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.interceptor.AnnotatedMethodAdvisor;
import io.idempotency.interceptor.AnnotationIdempotentMethodSource;
import io.idempotency.interceptor.AutoProxyCreatorRegistrar;
import io.idempotency.interceptor.HandlerMethods;
import io.idempotency.interceptor.HandlerTargetClassPreserver;
import io.idempotency.interceptor.IdempotentMethodInterceptor;
import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.interceptor.IdempotentMethodVerifier;
import io.idempotency.interceptor.InvocationDoor;
import io.idempotency.interceptor.StepMethodInterceptor;
import io.idempotency.interceptor.StepMethodSource;
import io.idempotency.interceptor.ValueFingerprinter;
import io.idempotency.json.JsonFingerprints;
import io.idempotency.step.IdempotentSteps;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for methods annotated with
 * {@link io.idempotency.annotation.Idempotent} or {@link io.idempotency.annotation.IdempotentStep}.
 *
 * <p>The advisors are created with the first bean, while the container still prepares its post-processors. So these methods
 * are static and take what they need as providers: whatever they took directly would itself be created too early to be
 * post-processed.
 *
 * <p>Steps are advised where idempotency is switched off too: their methods ask for the key of the step.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class)
@Import(AutoProxyCreatorRegistrar.class)
public final class IdempotentMethodAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static HandlerTargetClassPreserver idempotencyHandlerTargetClassPreserver() {
        return new HandlerTargetClassPreserver();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static StepMethodSource idempotentStepMethodSource(ConfigurableListableBeanFactory beanFactory) {
        return new StepMethodSource(beanFactory::resolveEmbeddedValue, beanFactory);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static StepMethodInterceptor idempotentStepMethodInterceptor(
            StepMethodSource source,
            ObjectProvider<IdempotentSteps> steps,
            ObjectProvider<ValueFingerprinter> fingerprinter) {
        return new StepMethodInterceptor(
                source,
                SingletonSupplier.of(steps::getObject),
                // Switched off there is none, and nothing to compare with.
                SingletonSupplier.of(() -> fingerprinter.getIfAvailable(() -> values -> Fingerprint.none())));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedMethodAdvisor idempotentStepMethodAdvisor(
            StepMethodSource source, StepMethodInterceptor interceptor) {
        return AnnotatedMethodAdvisor.ofSteps(source, interceptor);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
    static class EnabledConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean
        static IdempotentMethodSource idempotentMethodSource(
                @Qualifier(IdempotencyAutoConfiguration.DEFAULT_POLICY) ObjectProvider<OperationPolicy> defaultPolicy,
                ConfigurableListableBeanFactory beanFactory,
                ObjectProvider<HandlerMethods> handlerMethods) {
            return new AnnotationIdempotentMethodSource(
                    defaultPolicy::getObject,
                    beanFactory::resolveEmbeddedValue,
                    beanFactory,
                    SingletonSupplier.of(() -> handlerMethods.orderedStream().toList()));
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static IdempotentMethodInterceptor idempotentMethodInterceptor(
                IdempotentMethodSource source,
                ObjectProvider<InvocationDoor> doors,
                ObjectProvider<IdempotencyOperations> operations,
                ObjectProvider<OutcomeCodecFactory> codecs,
                ObjectProvider<ValueFingerprinter> fingerprinter) {
            return new IdempotentMethodInterceptor(
                    source,
                    SingletonSupplier.of(() -> doors.orderedStream().toList()),
                    SingletonSupplier.of(operations::getObject),
                    SingletonSupplier.of(codecs::getObject),
                    SingletonSupplier.of(fingerprinter::getObject));
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static AnnotatedMethodAdvisor idempotentMethodAdvisor(
                IdempotentMethodSource source, IdempotentMethodInterceptor interceptor) {
            return AnnotatedMethodAdvisor.ofOperations(source, interceptor);
        }

        @Bean
        static IdempotentMethodVerifier idempotentMethodVerifier(
                ConfigurableListableBeanFactory beanFactory,
                IdempotentMethodSource operations,
                StepMethodSource steps,
                ObjectProvider<HandlerMethods> handlerMethods,
                ObjectProvider<OutcomeCodecFactory> codecs,
                ObjectProvider<IdempotencyOperations> engine) {
            return new IdempotentMethodVerifier(
                    beanFactory,
                    operations,
                    steps,
                    SingletonSupplier.of(() -> handlerMethods.orderedStream().toList()),
                    SingletonSupplier.of(codecs::getObject),
                    engine::getObject);
        }

        @Bean
        @ConditionalOnMissingBean
        ValueFingerprinter idempotencyValueFingerprinter() {
            return new JsonFingerprints()::of;
        }
    }
}
