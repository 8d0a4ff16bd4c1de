package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.StepContext;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Nothing of a request is left on its thread, of which there is one where the server allows it. */
class ContextTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Operations.class)
            .with(
                    "server.tomcat.threads.max=1",
                    "server.tomcat.threads.min-spare=1",
                    "spring.task.execution.pool.core-size=1",
                    "spring.task.execution.pool.max-size=1",
                    "spring.mvc.async.request-timeout=300ms");

    @ParameterizedTest
    @ValueSource(
            strings = {"/succeeding", "/failing", "/later", "/failing-later", "/never", "/steps", "/succeeding?again"})
    void theNextRequestOnTheThreadSeesNoOperation(String path) {
        String key = UUID.randomUUID().toString();

        application.post(path, "{}", "Idempotency-Key", key);
        application.post(path, "{}", "Idempotency-Key", key);

        assertThat(application.post("/unprotected", "{}").body()).isEqualTo("none");
        assertThat(application.post("/optional", "{}").body()).isEqualTo("none");
        assertThat(application.post("/unprotected-later", "{}").body()).isEqualTo("none");
    }

    @RestController
    static class Operations {

        private final IdempotentSteps steps;

        Operations(IdempotentSteps steps) {
            this.steps = steps;
        }

        @PostMapping("/succeeding")
        @Idempotent
        String succeed() {
            return operation();
        }

        @PostMapping("/failing")
        @Idempotent
        String fail() {
            throw new IllegalStateException("broken");
        }

        @PostMapping("/later")
        @Idempotent
        Callable<String> later() {
            return Operations::operation;
        }

        @PostMapping("/failing-later")
        @Idempotent
        Callable<String> failLater() {
            return () -> {
                throw new IllegalStateException("broken");
            };
        }

        @PostMapping("/never")
        @Idempotent
        CompletableFuture<String> never() {
            return new CompletableFuture<>();
        }

        @PostMapping("/steps")
        @Idempotent
        Callable<String> steps() {
            return () -> steps.run(
                    "charge",
                    String.class,
                    charge -> steps.run("mail", String.class, mail -> {
                        throw new IllegalStateException("broken");
                    }));
        }

        @PostMapping("/unprotected")
        String unprotected() {
            return operation();
        }

        @PostMapping("/optional")
        @Idempotent(required = false)
        String optional() {
            return operation();
        }

        @PostMapping("/unprotected-later")
        Callable<String> unprotectedLater() {
            return Operations::operation;
        }

        private static String operation() {
            boolean isThere = IdempotencyContext.current().isPresent()
                    || StepContext.current().isPresent();
            return isThere ? "operation" : "none";
        }
    }
}
