package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers that end in all ways that are no success, and how often they ran. */
@RestController
class FailingPayments {

    static final AtomicInteger executions = new AtomicInteger();

    static final AtomicInteger interruptions = new AtomicInteger();

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

    @PostMapping("/unrenderable-future")
    @Idempotent
    CompletableFuture<Unrenderable> unrenderableFuture() {
        return CompletableFuture.supplyAsync(this::unrenderable);
    }

    @PostMapping("/unrenderable-callable")
    @Idempotent
    Callable<Unrenderable> unrenderableCallable() {
        return this::unrenderable;
    }

    @PostMapping("/unrenderable-task")
    @Idempotent
    WebAsyncTask<Unrenderable> unrenderableTask() {
        return new WebAsyncTask<>(this::unrenderable);
    }

    @PostMapping("/unrenderable-deferred")
    @Idempotent
    DeferredResult<Unrenderable> unrenderableDeferred() {
        DeferredResult<Unrenderable> result = new DeferredResult<>();
        result.setResult(unrenderable());
        return result;
    }

    @PostMapping("/failing-stream")
    @Idempotent
    StreamingResponseBody failingStream() {
        return body -> {
            executions.incrementAndGet();
            throw new IllegalStateException("broken");
        };
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
