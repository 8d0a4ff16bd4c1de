package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A resource server, whose callers bring tokens. */
class BearerTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.secured(Accounts.class, ResourceServer.class);

    private final String key = UUID.randomUUID().toString();

    @Test
    void theScopeIsTheSubjectOfTheTokenWhateverTheToken() {
        assertThat(post("alice.1").body()).isEqualTo("account of alice");
        assertThat(post("bob.1").body()).isEqualTo("account of bob");
        assertThat(isReplay(post("alice.2"))).isTrue();
    }

    @Test
    void anInvalidTokenNeitherTouchesAKeyNorGetsAnOldResponse() {
        int claims = application.store().claims();

        assertThat(post("alice.expired").statusCode()).isEqualTo(401);
        assertThat(post(null).statusCode()).isEqualTo(401);
        assertThat(application.store().claims()).isEqualTo(claims);

        assertThat(post("alice.1").statusCode()).isEqualTo(200);
        assertThat(post("alice.expired").statusCode()).isEqualTo(401);
        assertThat(post("alice.expired").body()).isEmpty();
    }

    @Test
    void whoTheClientSaysToBeInAHeaderOfItsOwnMeansNothing() {
        post("alice.1", "X-User", "bob");

        assertThat(isReplay(post("alice.1", "X-User", "carol"))).isTrue();
        assertThat(isReplay(post("bob.1", "X-User", "alice"))).isFalse();
    }

    private HttpResponse<String> post(@Nullable String token, String... headers) {
        var request = application.json("/accounts", "{}", "Idempotency-Key", key);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return application.send(request);
    }

    @RestController
    static class Accounts {

        @PostMapping("/accounts")
        @Idempotent
        String open(Principal principal) {
            return "account of " + principal.getName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ResourceServer {

        @Bean
        SecurityFilterChain filters(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .build();
        }

        /** Takes {@code subject.something} for a valid token, unless it is said to be expired. */
        @Bean
        JwtDecoder decoder() {
            return token -> {
                String[] parts = token.split("\\.", -1);
                if (parts[1].equals("expired")) {
                    throw new BadJwtException("expired");
                }
                return Jwt.withTokenValue(token)
                        .header("alg", "none")
                        .subject(parts[0])
                        .build();
            };
        }
    }
}
