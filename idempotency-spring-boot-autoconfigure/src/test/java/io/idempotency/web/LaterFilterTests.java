package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A filter without an order comes after ours and may change who asks, and what is asked. */
class LaterFilterTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Accounts.class, ChangingFilter.class);

    private final String key = UUID.randomUUID().toString();

    @Test
    void theScopeIsTheUserThatTheHandlerSees() {
        HttpResponse<String> alice = post("Changed-User", "alice");
        HttpResponse<String> bob = post("Changed-User", "bob");

        assertThat(alice.body()).isEqualTo("POST of alice for null");
        assertThat(bob.body()).isEqualTo("POST of bob for null");
        assertThat(isReplay(bob)).isFalse();
        assertThat(isReplay(post("Changed-User", "alice"))).isTrue();
    }

    @Test
    void theKeyIsTheOneThatTheHandlerSees() {
        post("Changed-Key", key + "-of-a-tenant");

        assertThat(isReplay(post("Changed-Key", key + "-of-another"))).isFalse();
        assertThat(isReplay(post("Changed-Key", key + "-of-a-tenant"))).isTrue();
    }

    @Test
    void theMethodAndTheQueryAreThoseThatTheHandlerSees() {
        assertThat(post("Changed-Method", "PUT").body()).isEqualTo("PUT of nobody for null");
        assertThat(post("Changed-Method", "DELETE").statusCode()).isEqualTo(422);
        assertThat(post("Changed-Method", "PUT", "Changed-Query", "a=1").statusCode())
                .isEqualTo(422);
        assertThat(isReplay(post("Changed-Method", "PUT"))).isTrue();
    }

    private HttpResponse<String> post(String... headers) {
        return application.send(
                application.json("/accounts", "{}", "Idempotency-Key", key).headers(headers));
    }

    @RestController
    static class Accounts {

        @RequestMapping(
                path = "/accounts",
                method = {RequestMethod.POST, RequestMethod.PUT, RequestMethod.DELETE})
        @Idempotent
        String change(
                HttpServletRequest request,
                @Nullable Principal user,
                @RequestParam(required = false) @Nullable String a) {
            return "%s of %s for %s".formatted(request.getMethod(), user == null ? "nobody" : user.getName(), a);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ChangingFilter {

        @Bean
        Filter changingFilter() {
            return (request, response, chain) -> chain.doFilter(changed((HttpServletRequest) request), response);
        }

        private static HttpServletRequest changed(HttpServletRequest request) {
            return new HttpServletRequestWrapper(request) {
                @Override
                public @Nullable Principal getUserPrincipal() {
                    String user = getHeader("Changed-User");
                    return user == null ? null : () -> user;
                }

                @Override
                public String getMethod() {
                    return Objects.requireNonNullElse(getHeader("Changed-Method"), super.getMethod());
                }

                @Override
                public @Nullable String getQueryString() {
                    return getHeader("Changed-Query");
                }

                @Override
                public Enumeration<String> getHeaders(String name) {
                    String changed = getHeader("Changed-Key");
                    return name.equals("Idempotency-Key") && changed != null
                            ? Collections.enumeration(List.of(changed))
                            : super.getHeaders(name);
                }
            };
        }
    }
}
