package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;

class AsyncTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Reports.class).with("spring.mvc.async.request-timeout=300ms");

    private static final AtomicInteger executions = new AtomicInteger();

    private static final AtomicInteger ended = new AtomicInteger();

    private static volatile CountDownLatch gate = new CountDownLatch(1);

    private static volatile boolean failing;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        gate = new CountDownLatch(1);
        failing = false;
        ended.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/web-async-task"})
    void theResponseOfLaterWorkIsRecorded(String path) {
        gate.countDown();

        HttpResponse<String> first = post(path);
        HttpResponse<String> second = post(path);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).startsWith("report");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/deferred", "/web-async-task"})
    void laterWorkThatFailsFreesTheKey(String path) {
        gate.countDown();
        failing = true;
        assertThat(post(path).statusCode()).isEqualTo(500);

        failing = false;

        assertThat(post(path).statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable"})
    void afterATimeoutTheClaimFollowsTheWorkToItsSuccess(String path) {
        assertThat(post(path).statusCode()).isEqualTo(503);
        assertThat(post(path).body()).contains("in-progress");

        gate.countDown();

        await().untilAsserted(() -> assertThat(post(path).body()).contains("outcome-unavailable"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable"})
    void afterATimeoutTheClaimFollowsTheWorkToItsFailure(String path) {
        failing = true;
        assertThat(post(path).statusCode()).isEqualTo(503);
        assertThat(post(path).body()).contains("in-progress");

        gate.countDown();
        await().untilAsserted(() -> assertThat(ended).hasPositiveValue());
        failing = false;

        await().untilAsserted(() -> assertThat(post(path).statusCode()).isEqualTo(201));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/web-async-task"})
    void afterATimeoutNobodyKnowsTheEndOfWorkThatCannotBeFollowed(String path) {
        assertThat(post(path).statusCode()).isEqualTo(503);

        assertThat(post(path).body()).contains("in-doubt");
        gate.countDown();
    }

    @Test
    void aCallableRunsInTheOperationOfItsHandler() {
        assertThat(post("/context").body()).isEqualTo("attempt 1");
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }

    @RestController
    static class Reports {

        @PostMapping("/future")
        @Idempotent
        CompletableFuture<ResponseEntity<String>> future() {
            return CompletableFuture.supplyAsync(this::report);
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

        @PostMapping("/context")
        @Idempotent
        Callable<String> context() {
            return () -> "attempt " + IdempotencyContext.current().orElseThrow().attempt();
        }

        /** Goes on when a container or a pool interrupts it, as work that talks to others does. */
        private ResponseEntity<String> report() {
            CountDownLatch opened = gate;
            boolean open = false;
            while (!open) {
                try {
                    open = opened.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    // go on
                }
            }
            ended.incrementAndGet();
            if (failing) {
                throw new IllegalStateException("broken");
            }
            return ResponseEntity.status(201).body("report " + executions.incrementAndGet());
        }
    }
}
