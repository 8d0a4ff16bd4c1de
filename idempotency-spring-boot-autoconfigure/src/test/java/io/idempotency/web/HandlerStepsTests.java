package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import io.idempotency.step.IdempotentSteps;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Steps of handlers, on the thread of the request and on others. */
class HandlerStepsTests {

    @Nested
    class OnPooledThreads {

        @RegisterExtension
        static final WebApplication application = WebApplication.of(Orders.class, Events.class);

        @ParameterizedTest
        @ValueSource(strings = {"/order", "/order-later", "/order-by-others"})
        void aRetryDoesWhatWasNotDone(String path) {
            assertThatARetryDoesWhatWasNotDone(application, path, false);
        }

        @ParameterizedTest
        @ValueSource(strings = {"/wire", "/wire-stored"})
        void aStepInDoubtKeepsItsOperationInDoubtHoweverTheFailureIsAnswered(String path) {
            String key = UUID.randomUUID().toString();

            assertThat(post(application, path, key).statusCode()).isEqualTo(422);
            HttpResponse<String> second = post(application, path, key);

            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains("in-doubt");
        }
    }

    @Nested
    @EnabledForJreRange(min = JRE.JAVA_21)
    class OnVirtualThreads {

        @RegisterExtension
        static final WebApplication application =
                WebApplication.of(Orders.class, Events.class).with("spring.threads.virtual.enabled=true");

        @ParameterizedTest
        @ValueSource(strings = {"/order", "/order-later", "/order-by-others"})
        void aRetryDoesWhatWasNotDone(String path) {
            assertThatARetryDoesWhatWasNotDone(application, path, true);
        }
    }

    private static void assertThatARetryDoesWhatWasNotDone(WebApplication application, String path, boolean virtual) {
        Events events = application.bean(Events.class);
        events.ran.clear();
        events.failing = true;
        String key = UUID.randomUUID().toString();
        assertThat(post(application, path, key).statusCode()).isEqualTo(500);
        events.failing = false;

        HttpResponse<String> second = post(application, path, key);
        HttpResponse<String> third = post(application, path, key);

        assertThat(second.body()).isEqualTo("a receipt, sent");
        assertThat(third.body()).isEqualTo(second.body());
        assertThat(events.ran).containsExactly("charge", "mail", "mail");
        assertThat(events.threads)
                .isNotEmpty()
                .allSatisfy(
                        thread -> assertThat(thread.startsWith("VirtualThread")).isEqualTo(virtual));
    }

    private static HttpResponse<String> post(WebApplication application, String path, String key) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    /** What the steps have done, and where, and whether the mail fails. */
    static class Events {

        private final List<String> ran = new CopyOnWriteArrayList<>();

        private final List<String> threads = new CopyOnWriteArrayList<>();

        private volatile boolean failing;
    }

    @RestController
    static class Orders {

        private final IdempotentSteps steps;

        private final AsyncTaskExecutor executor;

        private final Events events;

        Orders(IdempotentSteps steps, AsyncTaskExecutor executor, Events events) {
            this.steps = steps;
            this.executor = executor;
            this.events = events;
        }

        @PostMapping("/order")
        @Idempotent
        String order() {
            return charge() + ", " + mail();
        }

        @PostMapping("/order-later")
        @Idempotent
        Callable<String> orderLater() {
            return this::order;
        }

        @PostMapping("/order-by-others")
        @Idempotent
        String orderByOthers() throws Exception {
            String receipt =
                    executor.submit(IdempotencyContext.wrap(this::charge)).get();
            return receipt + ", "
                    + executor.submit(IdempotencyContext.wrap(this::mail)).get();
        }

        @PostMapping("/wire")
        @Idempotent
        String wire() {
            return steps.step("wire").onAbandoned(OnAbandoned.HOLD).run(String.class, step -> {
                throw new IllegalArgumentException("no answer");
            });
        }

        @PostMapping("/wire-stored")
        @Idempotent(onFailure = OnFailure.STORE)
        String wireAndStore() {
            return wire();
        }

        @ExceptionHandler
        ResponseEntity<String> refused(IllegalArgumentException failure) {
            return ResponseEntity.unprocessableContent().body(failure.getMessage());
        }

        private String charge() {
            return steps.run("charge", String.class, step -> ran("charge", "a receipt"));
        }

        private String mail() {
            return steps.run("mail", String.class, step -> {
                String sent = ran("mail", "sent");
                if (events.failing) {
                    throw new IllegalStateException("broken");
                }
                return sent;
            });
        }

        private String ran(String what, String result) {
            events.ran.add(what);
            events.threads.add(Thread.currentThread().toString());
            return result;
        }
    }
}
