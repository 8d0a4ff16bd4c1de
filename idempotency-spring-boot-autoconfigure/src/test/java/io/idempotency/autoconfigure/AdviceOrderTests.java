package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

/** The advice around a method, from outside: retries and asynchronous execution, security, idempotency, transactions. */
class AdviceOrderTests extends WithAdvice {

    @Test
    void eachRetryFromOutsideIsANewClaim() {
        runner.withUserConfiguration(RetryConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);
            context.getBean(Faults.class).inMethod.set(2);

            assertThat(shop.bookWithRetries("k")).isEqualTo(3);
            assertThat(shop.bookWithRetries("k")).isEqualTo(3);

            assertThat(rows(context.getBean(JdbcClient.class))).isEqualTo(1);
            assertThat(context.getBean(Ends.class).all)
                    .containsExactly(
                            "released outside a transaction",
                            "released outside a transaction",
                            "recorded outside a transaction");
        });
    }

    @Test
    void whoHasNoRightDoesNotTouchTheKeyAndGetsNoOldOutcome() {
        runner.withUserConfiguration(SecurityConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> as("clerk", () -> shop.refund("k")));
            assertThat(context.getBean(Ends.class).all).isEmpty();
            assertThat(as("admin", () -> shop.refund("k"))).isEqualTo(1);
            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> as("clerk", () -> shop.refund("k")));
        });
    }

    @Test
    void anAsynchronousMethodClaimsOnItsOwnThread() {
        runner.withUserConfiguration(AsyncConfiguration.class).run(context -> {
            Shop shop = context.getBean(Shop.class);

            CompletableFuture<Integer> first = shop.bookLater("k");
            assertThat(first).isNotDone();
            context.getBean(Faults.class).over.countDown();

            assertThat(first).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(1);
            assertThat(shop.bookLater("k")).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(1);
        });
    }

    private static int as(String role, IntSupplier call) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "", role));
        try {
            return call.getAsInt();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class RetryConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class SecurityConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncConfiguration {}
}
