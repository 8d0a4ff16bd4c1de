package io.idempotency.autoconfigure;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.interceptor.ValueFingerprinter;
import io.idempotency.web.HandlerActivation;
import io.idempotency.web.IdempotencyExceptionResolver;
import io.idempotency.web.IdempotencyFilter;
import io.idempotency.web.ProtectedPaths;
import io.idempotency.web.ResponseRedactor;
import io.idempotency.web.ScopeResolver;
import io.idempotency.web.WebHandlerMethods;
import io.idempotency.web.WebInvocationDoor;
import io.idempotency.web.WebSettings;
import jakarta.servlet.DispatcherType;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.MappedInterceptor;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the HTTP door of a servlet
 * application.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({DispatcherServlet.class, FilterRegistrationBean.class})
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "idempotency.web.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyWebProperties.class)
public final class IdempotencyWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WebSettings idempotencyWebSettings(IdempotencyWebProperties properties) {
        return new WebSettings(
                properties.getHeaderNames(),
                properties.isStrict(),
                Optional.ofNullable(properties.getKeyPattern()).map(Pattern::compile),
                properties.getMaxKeyLength(),
                bytes(properties.getMaxRequestSize()),
                bytes(properties.getMaxResponseSize()),
                properties.getKeptHeaders(),
                properties.getFingerprint());
    }

    /** Bodies are held in arrays, so more than this cannot be meant. */
    private static int bytes(DataSize size) {
        return (int) Math.min(Integer.MAX_VALUE, size.toBytes());
    }

    @Bean
    @ConditionalOnMissingBean
    WebInvocationDoor idempotencyWebInvocationDoor(
            ObjectProvider<IdempotencyOperations> operations,
            ObjectProvider<OutcomeCodecFactory> codecs,
            ObjectProvider<ScopeResolver> scopeResolver,
            ValueFingerprinter fingerprinter,
            WebSettings settings) {
        return new WebInvocationDoor(
                SingletonSupplier.of(operations::getObject),
                codecs::getObject,
                scopeResolver.getIfAvailable(ScopeResolver::ofPrincipal),
                fingerprinter,
                settings);
    }

    @Bean
    @ConditionalOnMissingBean
    WebHandlerMethods idempotencyWebHandlerMethods() {
        return new WebHandlerMethods();
    }

    @Bean
    ProtectedPaths idempotencyProtectedPaths(ObjectProvider<HandlerMapping> mappings, IdempotentMethodSource methods) {
        return new ProtectedPaths(mappings::stream, methods);
    }

    @Bean
    FilterRegistrationBean<IdempotencyFilter> idempotencyFilterRegistration(
            WebSettings settings,
            ProtectedPaths paths,
            ObjectProvider<ResponseRedactor> redactors,
            IdempotencyWebProperties properties) {
        FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(
                new IdempotencyFilter(settings, paths, redactors.orderedStream().toList()));
        registration.setOrder(properties.getFilterOrder());
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC);
        return registration;
    }

    @Bean
    MappedInterceptor idempotencyHandlerActivation(
            IdempotentMethodSource methods, WebSettings settings, ProtectedPaths paths) {
        return new MappedInterceptor(null, new HandlerActivation(methods, settings, paths));
    }

    @Bean
    IdempotencyExceptionResolver idempotencyExceptionResolver(ApplicationContext context) {
        return new IdempotencyExceptionResolver(context);
    }
}
