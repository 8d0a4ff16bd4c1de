package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.web.AroundAnnotated.Retrying;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Aspects of the application around a protected handler. */
class AspectTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.withDatabase(AdvisedOrders.class, Aspects.class)
            .with("idempotency.web.max-response-size=1KB");

    @RegisterExtension
    static final WebApplication losing = WebApplication.of(LosingOrders.class, Aspects.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static final AtomicInteger losingTries = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void anAspectThatWrapsExceptionsBreaksNeitherReplayNorRefusal() {
        HttpResponse<String> first = application.post("/wrapped", "{}", "Idempotency-Key", key);
        HttpResponse<String> second = application.post("/wrapped", "{}", "Idempotency-Key", key);
        HttpResponse<String> refused = application.post("/wrapped", "{\"a\":1}", "Idempotency-Key", key);

        assertThat(second.body()).isEqualTo(first.body()).startsWith("wrapped");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(refused.statusCode()).isEqualTo(422);
    }

    @Test
    void anAspectThatSwallowsExceptionsDoesNotBreakTheReplay() {
        HttpResponse<String> first = application.post("/swallowed", "{}", "Idempotency-Key", key);
        HttpResponse<String> second = application.post("/swallowed", "{}", "Idempotency-Key", key);

        assertThat(first.body()).startsWith("order");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertThat(second.headers().map()).doesNotContainKeys("etag", "last-modified", "age", "set-cookie");
    }

    @Test
    void anAspectThatTriesAgainStaysInTheClaimOfItsRequest() {
        HttpResponse<String> first = application.post("/retried", "{}", "Idempotency-Key", key);
        HttpResponse<String> second = application.post("/retried", "{}", "Idempotency-Key", key);
        HttpResponse<String> refused = application.post("/retried", "{\"a\":1}", "Idempotency-Key", key);

        assertThat(first.body()).isEqualTo("try 3 of attempt 1, charged by try 1");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(refused.statusCode()).isEqualTo(422);
    }

    @Test
    void anAspectDoesNotTryAgainWhatWasLostMeanwhile() {
        HttpResponse<String> first = losing.post("/lost", "{}", "Idempotency-Key", key);

        assertThat(first.statusCode()).isGreaterThanOrEqualTo(400);
        assertThat(losingTries).hasValue(1);
    }

    @Test
    void whatAdviceAroundTheDoorThrowsDoesNotLetTheHandlerRunAgain() {
        int before = executions.get();

        assertThat(application.post("/returned", "{}", "Idempotency-Key", key).statusCode())
                .isEqualTo(500);
        assertThat(application.post("/returned", "{}", "Idempotency-Key", key).body())
                .contains("outcome-unavailable");
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void whatEveryTryFailsAtFreesTheKey() {
        assertThat(application
                        .post("/always-failing", "{}", "Idempotency-Key", key)
                        .statusCode())
                .isEqualTo(500);
        assertThat(application
                        .post("/always-failing", "{}", "Idempotency-Key", key)
                        .headers()
                        .firstValue("Idempotent-Replayed"))
                .isEmpty();
    }

    @RestController
    static class LosingOrders {

        private final ControllableStore store;

        LosingOrders(ControllableStore store) {
            this.store = store;
        }

        @PostMapping("/lost")
        @Idempotent(lease = "1s")
        @Retrying
        String lose() {
            losingTries.incrementAndGet();
            store.setLosing(true);
            IdempotencyContext operation = IdempotencyContext.current().orElseThrow();
            await().atMost(Duration.ofSeconds(30)).until(operation::isLeaseLost);
            throw new IllegalStateException("planted");
        }
    }

    @RestController
    static class AdvisedOrders {

        private final IdempotentSteps steps;

        private int tries;

        AdvisedOrders(IdempotentSteps steps) {
            this.steps = steps;
        }

        @PostMapping("/retried")
        @Idempotent
        @Retrying
        String retried() {
            int current = ++tries;
            int charged = steps.run("charge", Integer.class, step -> current);
            if (current < 3) {
                throw new IllegalStateException("not yet");
            }
            return "try %d of attempt %d, charged by try %d"
                    .formatted(
                            current, IdempotencyContext.current().orElseThrow().attempt(), charged);
        }

        @PostMapping("/always-failing")
        @Idempotent
        @Retrying
        String alwaysFailing() {
            throw new IllegalStateException("never");
        }

        @PostMapping("/wrapped")
        @Idempotent
        @Wrapping
        String wrapped() {
            return "wrapped " + executions.incrementAndGet();
        }

        @PostMapping("/returned")
        @Idempotent
        @Failing
        String returned() {
            return "returned " + executions.incrementAndGet();
        }

        @PostMapping("/swallowed")
        @Idempotent
        @Swallowing
        String swallowed() {
            return "order " + executions.incrementAndGet();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Failing {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Wrapping {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Swallowing {}

    @Configuration(proxyBeanMethods = false)
    static class Aspects {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor retrying() {
            return AroundAnnotated.retrying(1);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor failing() {
            return AroundAnnotated.advisor(1, Failing.class, invocation -> {
                invocation.proceed();
                throw new IllegalStateException("planted");
            });
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor wrapping() {
            return AroundAnnotated.advisor(1, Wrapping.class, invocation -> {
                try {
                    return invocation.proceed();
                } catch (RuntimeException failure) {
                    throw new IllegalStateException("wrapped", failure);
                }
            });
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor swallowing() {
            return AroundAnnotated.advisor(1, Swallowing.class, invocation -> {
                try {
                    return invocation.proceed();
                } catch (RuntimeException failure) {
                    HttpServletResponse response = Objects.requireNonNull(
                            ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getResponse());
                    response.setHeader("ETag", "\"swallowed\"");
                    response.setDateHeader("Last-Modified", 0);
                    response.addIntHeader("Age", 1);
                    response.setContentType("text/html");
                    response.addCookie(new Cookie("swallowed", "true"));
                    // More than a response may hold back.
                    return "swallowed".repeat(1024);
                }
            });
        }
    }
}
