package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class ScopeResolverTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, Tenants.class);

    private final String key = UUID.randomUUID().toString();

    @Test
    void aBeanSaysWhoTheCallerIs() {
        assertThat(isReplay(post("/orders", "acme.example"))).isFalse();
        assertThat(isReplay(post("/orders", "other.example"))).isFalse();
        assertThat(isReplay(post("/orders", "acme.example"))).isTrue();
    }

    @Test
    void theScopeOfTheAnnotationComesFirst() {
        assertThat(isReplay(post("/scoped", "acme.example"))).isFalse();
        assertThat(isReplay(post("/scoped", "other.example"))).isTrue();
    }

    @Test
    void withoutAScopeNothingRuns() {
        int claims = application.store().claims();

        HttpResponse<String> response = post("/orders", "");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(application.store().claims()).isEqualTo(claims);
    }

    private HttpResponse<String> post(String path, String tenant) {
        return application.post(path, "{}", "Idempotency-Key", key, "X-Tenant", tenant);
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create() {
            return "created";
        }

        @PostMapping("/scoped")
        @Idempotent(scope = "'all'")
        String createForAll() {
            return "created";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        @Bean
        ScopeResolver tenants() {
            return request -> request.getHeader("X-Tenant");
        }
    }
}
