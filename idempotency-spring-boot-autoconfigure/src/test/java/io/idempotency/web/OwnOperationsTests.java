package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.PassThroughOperations;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class OwnOperationsTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, OwnOperations.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void theHttpDoorAsksTheOperationsOfTheApplication() {
        HttpResponse<String> first = application.post("/orders", "{}", "Idempotency-Key", key);
        HttpResponse<String> second = application.post("/orders", "{}", "Idempotency-Key", key);

        assertThat(first.body()).isEqualTo("order 1");
        assertThat(second.body()).isEqualTo("order 2");
        assertThat(application.store().claims()).isZero();
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String order() {
            return "order " + executions.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOperations {

        @Bean
        IdempotencyOperations ownOperations(OutcomeCodecFactory codecs) {
            return new PassThroughOperations(codecs);
        }
    }
}
