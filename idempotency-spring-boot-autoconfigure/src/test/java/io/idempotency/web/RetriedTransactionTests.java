package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.web.AroundAnnotated.Retrying;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A transactional handler around which advice tries again: every try claims, and all of them for the same request. */
class RetriedTransactionTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.withDatabase(Bookings.class, Aspects.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static final AtomicInteger failuresBefore = new AtomicInteger();

    private static final AtomicInteger failuresAfter = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @ParameterizedTest
    @ValueSource(strings = {"/bookings", "/raw-bookings", "/bookings-by-amount"})
    void whatTheSecondTryCommitsBelongsToTheRequestOfTheFirst(String path) {
        failuresBefore.set(1);

        assertThat(post(path, 10).body()).isEqualTo("booked by try " + (before + 2));
        assertThat(post(path, 10).headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(post(path, 11).statusCode()).isEqualTo(422);
        assertThat(executions).hasValue(before + 2);
    }

    @Test
    void whatTheFirstTryHasCommittedIsTheAnswerOfTheSecond() {
        failuresAfter.set(1);

        assertThat(post("/bookings", 10).body()).isEqualTo("booked by try " + (before + 1));
        assertThat(post("/bookings", 10).body()).isEqualTo("booked by try " + (before + 1));
        assertThat(executions).hasValue(before + 1);
    }

    private HttpResponse<String> post(String path, int amount) {
        return application.post(path, "{\"amount\":%d}".formatted(amount), "Idempotency-Key", key);
    }

    static final class Booking {

        public int amount;
    }

    @RestController
    static class Bookings {

        @PostMapping("/bookings")
        @Idempotent(transactional = true)
        @Retrying
        @FailingAfter
        String book(@RequestBody String body) {
            return booked();
        }

        @PostMapping("/raw-bookings")
        @Idempotent(transactional = true, fingerprint = "RAW")
        @Retrying
        String bookByBytes() {
            return booked();
        }

        @PostMapping("/bookings-by-amount")
        @Idempotent(transactional = true, fingerprint = "#booking.amount")
        @Retrying
        String bookByAmount(@RequestBody Booking booking) {
            booking.amount = 0;
            return booked();
        }

        private static String booked() {
            int current = executions.incrementAndGet();
            if (failuresBefore.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("deadlock");
            }
            return "booked by try " + current;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface FailingAfter {}

    @Configuration(proxyBeanMethods = false)
    static class Aspects {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor retrying() {
            return AroundAnnotated.retrying(0);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor failingAfter() {
            return AroundAnnotated.advisor(1, FailingAfter.class, invocation -> {
                Object result = invocation.proceed();
                if (failuresAfter.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IllegalStateException("failed after the commit");
                }
                return result;
            });
        }
    }
}
