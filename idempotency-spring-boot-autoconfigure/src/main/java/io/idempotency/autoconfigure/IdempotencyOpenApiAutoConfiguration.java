package io.idempotency.autoconfigure;

import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.openapi.ProtectedOperations;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the OpenAPI description of
 * protected operations, where the application has springdoc and the HTTP door.
 */
@AutoConfiguration(after = {IdempotentMethodAutoConfiguration.class, IdempotencyWebAutoConfiguration.class})
@ConditionalOnClass({GlobalOperationCustomizer.class, OpenAPI.class})
@ConditionalOnBean(WebSettings.class)
public final class IdempotencyOpenApiAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ProtectedOperations idempotencyProtectedOperations(IdempotentMethodSource methods, WebSettings settings) {
        return new ProtectedOperations(methods, settings);
    }
}
