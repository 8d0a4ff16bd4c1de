package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

class SecurityTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.secured(Accounts.class, Security.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static volatile boolean open;

    private final String key = UUID.randomUUID().toString();

    @Test
    void twoUsersNeverSeeEachOthersResponse() {
        HttpResponse<String> alice = post("/accounts", "alice", "{\"amount\":1}");
        HttpResponse<String> bob = post("/accounts", "bob", "{\"amount\":1}");

        assertThat(alice.body()).isEqualTo("account of alice");
        assertThat(bob.body()).isEqualTo("account of bob");
        assertThat(isReplay(post("/accounts", "alice", "{\"amount\":1}"))).isTrue();
    }

    @Test
    void whoIsAnonymousSharesTheScopeOfNoUser() {
        HttpResponse<String> named = post("/public", "anonymous", "{\"amount\":1}");
        HttpResponse<String> anonymous = post("/public", null, "{\"amount\":1}");

        assertThat(named.body()).isEqualTo("account of anonymous");
        assertThat(anonymous.body()).isEqualTo("account of nobody");
        assertThat(isReplay(anonymous)).isFalse();
        assertThat(isReplay(post("/public", null, "{\"amount\":1}"))).isTrue();
    }

    @Test
    void anExpressionSaysWhoTheCallerIs() {
        assertThat(isReplay(post("/tenants", "alice", "{\"amount\":1}"))).isFalse();
        assertThat(isReplay(post("/tenants", "bob", "{\"amount\":1}"))).isTrue();
    }

    @Test
    void whoIsNotLetInNeverTouchesAKey() {
        int claims = application.store().claims();

        assertThat(post("/accounts", null, "{\"amount\":1}").statusCode()).isEqualTo(401);
        assertThat(post("/admin", "alice", "{\"amount\":1}").statusCode()).isEqualTo(403);

        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(post("/admin", "admin", "{\"amount\":1}").statusCode()).isEqualTo(200);
    }

    @Test
    void whoLostTheRightGetsNoOldResponse() {
        open = true;
        assertThat(post("/revocable", "alice", "{\"amount\":1}").statusCode()).isEqualTo(200);

        open = false;
        HttpResponse<String> second = post("/revocable", "alice", "{\"amount\":1}");

        assertThat(second.statusCode()).isEqualTo(403);
        assertThat(isReplay(second)).isFalse();
    }

    @Test
    void anInvalidArgumentNeverTouchesAKey() {
        int claims = application.store().claims();
        int before = executions.get();

        assertThat(post("/accounts", "alice", "{\"amount\":-1}").statusCode()).isEqualTo(400);
        assertThat(post("/accounts", "alice", "{broken").statusCode()).isEqualTo(400);

        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(executions).hasValue(before);
        assertThat(post("/accounts", "alice", "{\"amount\":1}").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> post(String path, @Nullable String user, String body) {
        if (user == null) {
            return application.post(path, body, "Idempotency-Key", key);
        }
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return application.post(path, body, "Idempotency-Key", key, "Authorization", "Basic " + credentials);
    }

    record Deposit(@Positive int amount) {}

    @RestController
    static class Accounts {

        @PostMapping("/accounts")
        @Idempotent
        String open(@Valid @RequestBody Deposit deposit, Principal principal) {
            executions.incrementAndGet();
            return "account of " + principal.getName();
        }

        @PostMapping("/public")
        @Idempotent
        String openForAnybody(@Nullable Principal principal) {
            return "account of " + (principal == null ? "nobody" : principal.getName());
        }

        @PostMapping("/tenants")
        @Idempotent(scope = "'tenant-' + #deposit.amount")
        String openForTenant(@RequestBody Deposit deposit) {
            return "account of a tenant";
        }

        @PostMapping("/admin")
        @PreAuthorize("hasRole('ADMIN')")
        @Idempotent
        String administer() {
            return "done";
        }

        @PostMapping("/revocable")
        @PreAuthorize("@gate.isOpen()")
        @Idempotent
        String revocable() {
            return "done";
        }
    }

    static class Gate {

        public boolean isOpen() {
            return open;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {

        @Bean
        Gate gate() {
            return new Gate();
        }

        @Bean
        SecurityFilterChain filters(HttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/public")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice")
                            .password("{noop}secret")
                            .roles("USER")
                            .build(),
                    User.withUsername("bob")
                            .password("{noop}secret")
                            .roles("USER")
                            .build(),
                    User.withUsername("anonymous")
                            .password("{noop}secret")
                            .roles("USER")
                            .build(),
                    User.withUsername("admin")
                            .password("{noop}secret")
                            .roles("ADMIN")
                            .build());
        }
    }
}
