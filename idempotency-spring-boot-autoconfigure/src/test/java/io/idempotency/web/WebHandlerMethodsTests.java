package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OperationPolicy;
import io.idempotency.interceptor.IdempotentMethod;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class WebHandlerMethodsTests {

    private final WebHandlerMethods handlers = new WebHandlerMethods();

    @Test
    void aHandlerIsAMappedMethodOfAController() {
        assertThat(isHandler(Orders.class, "create")).isTrue();
        assertThat(isHandler(Orders.class, "helper")).isFalse();
        assertThat(isHandler(NoController.class, "create")).isFalse();
    }

    @Test
    void aHandlerOfSafeRequestsMustNotBeAnnotatedItself() {
        assertThat(problems(Orders.class, "find")).singleElement().asString().contains("remove @Idempotent");
        assertThat(problems(Orders.class, "exchange")).hasSize(1);
        assertThat(problems(Orders.class, "create")).isEmpty();
        assertThat(problems(Orders.class, "both")).isEmpty();
        assertThat(problems(Orders.class, "any")).isEmpty();
    }

    @Test
    void aHandlerOfSafeRequestsMayInheritTheAnnotationOfItsClass() {
        assertThat(problems(AnnotatedOrders.class, "find")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sse", "emitter", "flux", "deferredFlux", "specialSse"})
    void aStreamedResponseIsRefused(String method) {
        assertThat(problems(Streams.class, method)).singleElement().asString().contains("streams");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mono", "future", "callable", "entity", "nothing", "streaming", "streamingEntity"})
    void aResponseThatIsOneWholeIsNot(String method) {
        assertThat(problems(Streams.class, method)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "retried,Retryable",
        "retriedBySpringRetry,Retryable",
        "checkedAfterwards,PostAuthorize",
        "filteredAfterwards,PostFilter",
        "onAnotherThread,Async"
    })
    void adviceThatWouldUndoTheProtectionIsRefused(String method, String annotation) {
        assertThat(problems(AdvisedOrders.class, method))
                .singleElement()
                .asString()
                .contains("@" + annotation, "remove it");
    }

    @Test
    void adviceOfTheWholeClassIsRefusedForItsProtectedHandlers() {
        assertThat(problems(RetriedOrders.class, "create"))
                .singleElement()
                .asString()
                .contains("@Retryable");
        assertThat(problems(RetriedOrders.class, "find")).isEmpty();
    }

    @Test
    void adviceThatComesBeforeTheClaimIsAccepted() {
        assertThat(problems(AdvisedOrders.class, "checkedBefore")).isEmpty();
    }

    private boolean isHandler(Class<?> type, String method) {
        return handlers.isHandler(method(type, method), type);
    }

    private List<String> problems(Class<?> type, String method) {
        return handlers.problems(method(type, method, OperationPolicy.DEFAULT));
    }

    static IdempotentMethod method(Class<?> type, String method, OperationPolicy policy) {
        return new IdempotentMethod(
                method(type, method),
                type,
                "operation",
                Optional.empty(),
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                policy);
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    @RestController
    static class Orders {

        @PostMapping
        @Idempotent
        void create() {}

        @GetMapping
        @Idempotent
        void find() {}

        @RequestMapping(method = {RequestMethod.GET, RequestMethod.POST})
        @Idempotent
        void both() {}

        @RequestMapping
        @Idempotent
        void any() {}

        @GetExchange
        @Idempotent
        void exchange() {}

        void helper() {}
    }

    @RestController
    static class AdvisedOrders {

        @PostMapping
        @Idempotent
        @org.springframework.retry.annotation.Retryable
        void retriedBySpringRetry() {}

        @PostMapping
        @Idempotent
        @Retryable
        void retried() {}

        @PostMapping
        @Idempotent
        @PostAuthorize("returnObject != null")
        void checkedAfterwards() {}

        @PostMapping
        @Idempotent
        @PostFilter("filterObject != null")
        void filteredAfterwards() {}

        @PostMapping
        @Idempotent
        @Async
        void onAnotherThread() {}

        @PostMapping
        @Idempotent
        @PreAuthorize("isAuthenticated()")
        @ConcurrencyLimit(1)
        void checkedBefore() {}
    }

    @RestController
    @Idempotent
    @Retryable
    static class RetriedOrders {

        @PostMapping
        void create() {}

        @GetMapping
        void find() {}
    }

    @RestController
    @Idempotent
    static class AnnotatedOrders {

        @GetMapping
        void find() {}
    }

    @Service
    static class NoController {

        @PostMapping
        void create() {}
    }

    interface Streams {

        SseEmitter sse();

        ResponseBodyEmitter emitter();

        StreamingResponseBody streaming();

        ResponseEntity<StreamingResponseBody> streamingEntity();

        Flux<String> flux();

        ResponseEntity<Flux<String>> deferredFlux();

        SpecialSseEmitter specialSse();

        Mono<String> mono();

        CompletableFuture<List<String>> future();

        Callable<String> callable();

        ResponseEntity<?> entity();

        void nothing();
    }

    abstract static class SpecialSseEmitter extends SseEmitter {}
}
