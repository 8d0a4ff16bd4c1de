package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.OnFailure;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers whose work ends later, when the gate is opened. */
@RestController
class Reports {

    static final AtomicInteger ended = new AtomicInteger();

    static volatile CountDownLatch gate = new CountDownLatch(1);

    static volatile boolean failing;

    static volatile int status = 201;

    static final AtomicInteger begun = new AtomicInteger();

    /** How many tasks have waited for a thread that they did not get. */
    static final AtomicInteger inLine = new AtomicInteger();

    private static final AtomicInteger executions = new AtomicInteger();

    /** Closes the gate, and lets the work succeed. */
    static void reset() {
        gate = new CountDownLatch(1);
        failing = false;
        status = 201;
        ended.set(0);
        begun.set(0);
        inLine.set(0);
    }

    @PostMapping("/direct")
    @Idempotent
    ResponseEntity<String> direct() {
        return report();
    }

    @PostMapping("/future")
    @Idempotent
    CompletableFuture<ResponseEntity<String>> future() {
        return CompletableFuture.supplyAsync(this::report);
    }

    @PostMapping("/held-future")
    @Idempotent(onFailure = OnFailure.HOLD)
    CompletableFuture<ResponseEntity<String>> heldFuture() {
        return future();
    }

    @PostMapping("/stored-future")
    @Idempotent(onFailure = OnFailure.STORE)
    CompletableFuture<ResponseEntity<String>> storedFuture() {
        return future();
    }

    @PostMapping("/denied-future")
    @Idempotent(onFailure = OnFailure.STORE)
    CompletableFuture<ResponseEntity<String>> deniedFuture() {
        return future().exceptionally(failure -> {
            throw new AuthorizationDeniedException("not yours");
        });
    }

    @PostMapping("/callable")
    @Idempotent
    Callable<ResponseEntity<String>> callable() {
        return this::report;
    }

    @PostMapping("/deferred")
    @Idempotent
    DeferredResult<ResponseEntity<String>> deferred() {
        DeferredResult<ResponseEntity<String>> result = new DeferredResult<>();
        CompletableFuture.supplyAsync(this::report).whenComplete((report, failure) -> {
            if (failure == null) {
                result.setResult(report);
            } else {
                result.setErrorResult(failure.getCause());
            }
        });
        return result;
    }

    @PostMapping("/web-async-task")
    @Idempotent
    WebAsyncTask<ResponseEntity<String>> webAsyncTask() {
        return new WebAsyncTask<>(this::report);
    }

    @PostMapping("/charging-callable")
    @Idempotent
    Callable<String> chargingCallable() {
        return Reports::charge;
    }

    @PostMapping("/charging-task")
    @Idempotent
    WebAsyncTask<String> chargingTask() {
        return new WebAsyncTask<>(Reports::charge);
    }

    @PostMapping("/task-in-line")
    @Idempotent
    WebAsyncTask<String> taskInLine() {
        return new WebAsyncTask<>(null, new TaskExecutorAdapter(task -> inLine.incrementAndGet()), Reports::charge);
    }

    @PostMapping("/streaming")
    @Idempotent
    StreamingResponseBody streaming(HttpServletResponse response) {
        response.setStatus(201);
        return this::stream;
    }

    @PostMapping("/streaming-entity")
    @Idempotent
    ResponseEntity<StreamingResponseBody> streamingEntity() {
        return ResponseEntity.status(201).body(this::stream);
    }

    private void stream(OutputStream body) throws IOException {
        body.write("report ".getBytes(StandardCharsets.UTF_8));
        body.flush();
        String report = String.valueOf(report().getBody());
        body.write(report.substring("report ".length()).getBytes(StandardCharsets.UTF_8));
    }

    @PostMapping("/cancelled")
    @Idempotent
    CompletableFuture<String> cancelled() {
        CompletableFuture<String> future = new CompletableFuture<>();
        future.cancel(true);
        return future;
    }

    @PostMapping("/context")
    @Idempotent
    Callable<String> context() {
        return () -> "attempt " + IdempotencyContext.current().orElseThrow().attempt();
    }

    /** Is interrupted while it waits for the other side to confirm. */
    private static String charge() throws InterruptedException {
        begun.incrementAndGet();
        return gate.await(60, TimeUnit.SECONDS) ? "confirmed" : "not confirmed";
    }

    /** Goes on when a container or a pool interrupts it, as work that talks to others does. */
    private ResponseEntity<String> report() {
        CountDownLatch opened = gate;
        begun.incrementAndGet();
        boolean open = false;
        while (!open) {
            try {
                open = opened.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                // go on
            }
        }
        boolean fails = failing;
        ended.incrementAndGet();
        if (fails) {
            throw new IllegalStateException("broken");
        }
        return ResponseEntity.status(status).body("report " + executions.incrementAndGet());
    }
}
