package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Positive;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

class FailureTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class, ValidatedPayments.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static final AtomicInteger interruptions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 425, 429, 500, 502, 503, 504})
    void aStatusThatSaysNotNowOrNotYouFreesTheKey(int status) {
        for (String path : List.of("/returned", "/raised")) {
            assertThat(post(path, status).statusCode()).isEqualTo(status);
            assertThat(post(path, 200).statusCode()).isEqualTo(200);
            assertThat(isReplay(post(path, status))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 400, 404, 409, 410, 415, 422})
    void anyOtherStatusOfTheHandlerIsAnOutcome(int status) {
        for (String path : List.of("/returned", "/raised")) {
            assertThat(post(path, status).statusCode()).isEqualTo(status);
            assertThat(post(path, 500).statusCode()).isEqualTo(status);
            assertThat(isReplay(post(path, 500))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/exception", "/error", "/overflow", "/handled"})
    void whatTheHandlerThrowsFreesTheKey(String path) {
        int before = executions.get();

        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(post(path).statusCode()).isEqualTo(500);
        assertThat(executions).hasValue(before + 2);
    }

    @Test
    void aFailureMayBeTheOutcome() {
        assertThat(post("/stored/503").body()).isEqualTo("sorry");
        assertThat(post("/stored/503").statusCode()).isEqualTo(503);
        assertThat(post("/stored/503").body()).isEqualTo("sorry");
        assertThat(isReplay(post("/stored/503"))).isTrue();
        assertThat(post("/stored/429").statusCode()).isEqualTo(429);
        assertThat(isReplay(post("/stored/429"))).isFalse();
    }

    @Test
    void aRecordedFailureThatBecameNoResponseIsToldAndNothingRuns() {
        int before = executions.get();

        assertThat(post("/stored-exception").statusCode()).isEqualTo(500);
        HttpResponse<String> second = post("/stored-exception");

        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(second.body())
                .contains("\"type\":\"urn:problem-type:idempotency:recorded-failure\"")
                .doesNotContain("IllegalState", "broken");
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void aRecordedKindOfFailureIsRecordedAsItsResponse() {
        assertThat(post("/declined").statusCode()).isEqualTo(502);
        assertThat(post("/declined").body()).isEqualTo("declined");
        assertThat(isReplay(post("/declined"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/held/500", "/held-exception"})
    void aFailureMayLeaveADoubt(String path) {
        assertThat(post(path).statusCode()).isEqualTo(500);

        HttpResponse<String> second = post(path);

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:in-doubt\"");
    }

    @Test
    void anInterruptedThreadStillEndsItsClaim() {
        postInterrupted("/interrupted");
        postInterrupted("/interrupted-and-failed");

        // An interrupted thread waits for no store, so the end is written while the next request is under way.
        await().until(() -> isReplay(post("/interrupted")));
        await().until(() -> post("/interrupted-and-failed").body().equals("done at last"));
    }

    @Test
    void whatTheCallerMayNotDoIsNoFailureToBeRecorded() {
        assertThat(post("/denied").statusCode()).isEqualTo(500);
        assertThat(post("/denied").statusCode()).isEqualTo(500);
        assertThat(post("/denied").body()).doesNotContain("recorded-failure");
        assertThat(post("/denied-and-hidden").statusCode()).isEqualTo(404);
        assertThat(isReplay(post("/denied-and-hidden"))).isFalse();
    }

    @Test
    void aResultThatCannotBeRenderedIsNotProducedAgain() {
        int before = executions.get();

        assertThat(post("/unrenderable").statusCode()).isEqualTo(500);
        HttpResponse<String> second = post("/unrenderable");

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:outcome-unavailable\"");
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void aFutureThatFailsFreesTheKey() {
        int before = executions.get();

        assertThat(post("/failing-later").statusCode()).isEqualTo(500);
        assertThat(post("/failing-later").statusCode()).isEqualTo(500);
        assertThat(executions).hasValue(before + 2);
    }

    @Test
    void aScopeThatIsMissingIsNotTheFaultOfTheClientAndNamesNoExpression() {
        HttpResponse<String> response = post("/scopeless");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("nobody");
    }

    @Test
    void aViolationFoundByTheProxyOfTheHandlerFreesTheKey() {
        String path = "/validated?amount=";

        assertThat(post(path + "-1").statusCode()).isEqualTo(400);
        assertThat(post(path + "1").body()).isEqualTo("valid");
    }

    /** What an interrupted thread sends, if anything, is the business of the server. */
    private void postInterrupted(String path) {
        interruptions.set(1);
        try {
            post(path);
        } catch (UncheckedIOException unsent) {
            assertThat(unsent).hasMessageContaining("no bytes");
        }
        assertThat(interruptions).hasValue(0);
    }

    private HttpResponse<String> post(String path, int status) {
        return application.post(path, "{}", "Idempotency-Key", key, "X-Status", Integer.toString(status));
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path.split("\\?", 2)[0]);
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @RestController
    static class Payments {

        @PostMapping("/returned")
        @Idempotent
        ResponseEntity<String> returned(@RequestHeader("X-Status") int status) {
            return ResponseEntity.status(status).body("done");
        }

        @PostMapping("/raised")
        @Idempotent
        String raised(@RequestHeader("X-Status") int status) {
            if (status != 200) {
                throw new ResponseStatusException(HttpStatusCode.valueOf(status));
            }
            return "done";
        }

        @PostMapping("/exception")
        @Idempotent
        String exception() {
            executions.incrementAndGet();
            throw new IllegalStateException("broken");
        }

        @PostMapping("/error")
        @Idempotent
        String error() {
            executions.incrementAndGet();
            throw new AssertionError("broken");
        }

        @PostMapping("/overflow")
        @Idempotent
        String overflow() {
            executions.incrementAndGet();
            return overflowing(1);
        }

        private String overflowing(int depth) {
            return overflowing(depth + 1) + depth;
        }

        @PostMapping("/handled")
        @Idempotent
        String handled() {
            executions.incrementAndGet();
            throw new UnsupportedOperationException("broken");
        }

        @PostMapping("/unrenderable")
        @Idempotent
        Unrenderable unrenderable() {
            executions.incrementAndGet();
            return new Unrenderable();
        }

        @PostMapping("/failing-later")
        @Idempotent
        CompletableFuture<String> failingLater() {
            executions.incrementAndGet();
            return CompletableFuture.failedFuture(new IllegalStateException("broken"));
        }

        @PostMapping("/scopeless")
        @Idempotent(scope = "#nobody")
        String scopeless(@RequestParam(required = false) @Nullable String nobody) {
            return "done";
        }

        @PostMapping("/stored/{status}")
        @Idempotent(onFailure = OnFailure.STORE)
        ResponseEntity<String> stored(@PathVariable int status) {
            return ResponseEntity.status(status).body("sorry");
        }

        @PostMapping("/stored-exception")
        @Idempotent(onFailure = OnFailure.STORE)
        String storedException() {
            executions.incrementAndGet();
            throw new IllegalStateException("broken");
        }

        @PostMapping("/interrupted")
        @Idempotent
        String interrupted() {
            interruptOnce();
            return "done";
        }

        @PostMapping("/interrupted-and-failed")
        @Idempotent
        String interruptedAndFailed() {
            if (interruptOnce()) {
                throw new IllegalStateException("broken");
            }
            return "done at last";
        }

        private static boolean interruptOnce() {
            if (interruptions.getAndDecrement() > 0) {
                Thread.currentThread().interrupt();
                return true;
            }
            return false;
        }

        @PostMapping("/denied")
        @Idempotent(onFailure = OnFailure.STORE)
        String denied() {
            throw new AuthorizationDeniedException("not yours");
        }

        @PostMapping("/denied-and-hidden")
        @Idempotent
        String deniedAndHidden() {
            throw new BadCredentialsException("expired");
        }

        @PostMapping("/declined")
        @Idempotent(recordFailures = DeclinedException.class)
        String declined() {
            throw new DeclinedException();
        }

        @PostMapping("/held/{status}")
        @Idempotent(onFailure = OnFailure.HOLD)
        ResponseEntity<String> held(@PathVariable int status) {
            return ResponseEntity.status(status).build();
        }

        @PostMapping("/held-exception")
        @Idempotent(onFailure = OnFailure.HOLD)
        String heldException() {
            throw new IllegalStateException("broken");
        }

        @ExceptionHandler
        ResponseEntity<String> unsupported(UnsupportedOperationException exception) {
            return ResponseEntity.internalServerError().body("sorry");
        }

        @ExceptionHandler
        ResponseEntity<String> hidden(BadCredentialsException exception) {
            return ResponseEntity.notFound().build();
        }

        @ExceptionHandler
        ResponseEntity<String> declined(DeclinedException exception) {
            return ResponseEntity.status(502).body("declined");
        }
    }

    @RestController
    @Validated
    static class ValidatedPayments {

        @PostMapping("/validated")
        @Idempotent
        String validated(@RequestParam @Positive int amount) {
            return "valid";
        }

        @ExceptionHandler
        ResponseEntity<String> violated(ConstraintViolationException exception) {
            return ResponseEntity.badRequest().body("violated");
        }
    }

    static class DeclinedException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    /** Says nothing about itself. */
    public static final class Unrenderable {

        public String getName() {
            throw new IllegalStateException("broken");
        }
    }
}
