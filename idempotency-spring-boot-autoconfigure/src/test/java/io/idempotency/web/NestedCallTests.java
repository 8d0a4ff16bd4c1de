package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

class NestedCallTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, Invoices.class, Delegates.class);

    private static final AtomicInteger created = new AtomicInteger();

    private static volatile Runnable beforeCreation = () -> {};

    private static final CountDownLatch requestEnded = new CountDownLatch(1);

    private static final CompletableFuture<String> later = new CompletableFuture<>();

    private final String key = UUID.randomUUID().toString();

    @Test
    void aServiceInsideAProtectedHandlerHasAKeyOfItsOwn() {
        int before = created.get();

        HttpResponse<String> first = post("/protected/" + key, key);
        HttpResponse<String> otherKey = post("/protected/" + key, key + "-2");
        HttpResponse<String> replay = post("/protected/" + key, key);

        assertThat(first.body()).isEqualTo("invoice " + (before + 1));
        assertThat(otherKey.body()).isEqualTo(first.body());
        assertThat(isReplay(otherKey)).isFalse();
        assertThat(isReplay(replay)).isTrue();
        assertThat(created).hasValue(before + 1);
    }

    @Test
    void anUnprotectedHandlerDoesNotLendItsExchangeToAService() {
        HttpResponse<String> first = post("/unprotected/" + key, key);
        HttpResponse<String> second = post("/unprotected/" + key, key);

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isFalse();
    }

    @Test
    void aHandlerThatAnotherHandlerCallsIsAnOrdinaryCall() {
        HttpResponse<String> first = post("/delegating/" + key, key);
        HttpResponse<String> second = post("/delegating/" + key, key + "-2");

        assertThat(first.body()).isEqualTo("delegated " + key);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isFalse();
    }

    @Test
    void aRefusedServiceIsAProblemAndNoOutcomeOfTheHandler() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        beforeCreation = () -> {
            entered.countDown();
            awaitQuietly(gate);
        };
        Thread other = new Thread(() -> post("/unprotected/" + key, key));
        other.start();
        awaitQuietly(entered);

        HttpResponse<String> refused = post("/protected/" + key, key);
        gate.countDown();
        other.join();
        beforeCreation = () -> {};
        HttpResponse<String> retried = post("/protected/" + key, key);

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("\"type\":\"urn:problem-type:idempotency:in-progress\"");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(retried.statusCode()).isEqualTo(200);
    }

    @Test
    void aServiceWithoutAKeyIsNotTheFaultOfTheClient() {
        assertThat(post("/keyless", key).statusCode()).isEqualTo(500);
    }

    @Test
    void aThreadThatOutlivesTheRequestMakesOrdinaryCalls() throws Exception {
        post("/outlived/" + key, key);
        requestEnded.countDown();

        assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo("invoice " + created.get());
    }

    private static HttpResponse<String> post(String path, String key) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @RestController
    static class Orders {

        private final Invoices invoices;

        private final Delegates delegates;

        Orders(Invoices invoices, Delegates delegates) {
            this.invoices = invoices;
            this.delegates = delegates;
        }

        @PostMapping("/protected/{order}")
        @Idempotent
        String protectedHandler(@PathVariable String order) {
            return invoices.create(order);
        }

        @PostMapping("/unprotected/{order}")
        String unprotectedHandler(@PathVariable String order) {
            return invoices.create(order);
        }

        @PostMapping("/delegating/{order}")
        @Idempotent
        String delegating(@PathVariable String order) {
            return delegates.delegated(order);
        }

        @PostMapping("/outlived/{order}")
        @Idempotent
        String outlived(@PathVariable String order) {
            RequestAttributes attributes = RequestContextHolder.currentRequestAttributes();
            later.completeAsync(() -> {
                RequestContextHolder.setRequestAttributes(attributes);
                awaitQuietly(requestEnded);
                return invoices.create(order);
            });
            return "begun";
        }

        @PostMapping("/keyless")
        String keyless() {
            return invoices.create(null);
        }
    }

    @RestController
    static class Delegates {

        @PostMapping("/delegated/{order}")
        @Idempotent(key = "#order")
        String delegated(@PathVariable String order) {
            return "delegated " + order;
        }
    }

    @Service
    static class Invoices {

        @Idempotent(key = "#order")
        String create(@Nullable String order) {
            beforeCreation.run();
            return "invoice " + created.incrementAndGet();
        }
    }
}
