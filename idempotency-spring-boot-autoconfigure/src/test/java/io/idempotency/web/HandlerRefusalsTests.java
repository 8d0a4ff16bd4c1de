package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Positive;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.stereotype.Service;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.method.MethodValidationException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Exceptions that refuse a call: of the handler itself, which has then not begun, or of something that it does. */
class HandlerRefusalsTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, AnsweringOrders.class, Prices.class);

    @RegisterExtension
    static final WebApplication adapting = WebApplication.of(Orders.class, AnsweringOrders.class, Prices.class)
            .with("spring.validation.method.adapt-constraint-violations=true");

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @ParameterizedTest
    @MethodSource("refused")
    void aRefusalAfterTheHandlerHasBegunIsAFailureOfItsWork(WebApplication server, String path) {
        assertThat(post(server, path).statusCode()).isEqualTo(500);

        assertThat(post(server, path).body()).contains("urn:problem-type:idempotency:in-doubt");
        assertThat(executions).hasValue(before + 1);
    }

    static Stream<Arguments> refused() {
        return Stream.of("/called?amount=1", "/returned?amount=-1", "/by-itself?amount=1", "/denied")
                .flatMap(path -> Stream.of(Arguments.of(application, path), Arguments.of(adapting, path)));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aRefusalBeforeTheHandlerBeginsFreesTheKeyWhateverThePolicySays(WebApplication server) {
        assertThat(post(server, "/by-itself?amount=-1").statusCode()).isEqualTo(500);
        assertThat(post(server, "/by-itself?amount=-1").statusCode()).isEqualTo(500);
        assertThat(post(server, "/answered?amount=-1").statusCode()).isEqualTo(400);
        assertThat(post(server, "/answered?amount=-1").headers().firstValue("Idempotent-Replayed"))
                .isEmpty();

        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whatAnswersARefusalAfterTheHandlerHasBegunIsTheOutcome(WebApplication server) {
        for (String path : new String[] {"/answered?amount=1", "/recorded?amount=1"}) {
            HttpResponse<String> first = post(server, path);
            HttpResponse<String> second = post(server, path);

            assertThat(second.statusCode()).isEqualTo(first.statusCode());
            assertThat(second.body()).isEqualTo(first.body()).isEqualTo("violated");
            assertThat(second.headers().firstValue("Idempotent-Replayed")).isPresent();
        }
        assertThat(executions).hasValue(before + 2);
    }

    static Stream<WebApplication> servers() {
        return Stream.of(application, adapting);
    }

    private HttpResponse<String> post(WebApplication server, String path) {
        return server.post(path, "{}", "Idempotency-Key", key);
    }

    @RestController
    @Validated
    static class Orders {

        private final Prices prices;

        private final ObjectProvider<Orders> itself;

        Orders(Prices prices, ObjectProvider<Orders> itself) {
            this.prices = prices;
            this.itself = itself;
        }

        @PostMapping("/called")
        @Idempotent(onFailure = OnFailure.HOLD)
        public String called(@RequestParam @Positive int amount) {
            executions.incrementAndGet();
            return prices.priceOf(-amount);
        }

        @PostMapping("/returned")
        @Idempotent(onFailure = OnFailure.HOLD)
        @Positive
        public Integer returned(@RequestParam int amount) {
            executions.incrementAndGet();
            return amount;
        }

        @PostMapping("/by-itself")
        @Idempotent(onFailure = OnFailure.HOLD)
        public String byItself(@RequestParam @Positive int amount) {
            executions.incrementAndGet();
            return itself.getObject().checked(-amount);
        }

        public String checked(@Positive int amount) {
            return "checked " + amount;
        }

        @PostMapping("/denied")
        @Idempotent(onFailure = OnFailure.HOLD)
        public String denied() {
            executions.incrementAndGet();
            throw new AuthorizationDeniedException("not yours");
        }
    }

    @RestController
    @Validated
    static class AnsweringOrders {

        private final Prices prices;

        AnsweringOrders(Prices prices) {
            this.prices = prices;
        }

        @PostMapping("/answered")
        @Idempotent(onFailure = OnFailure.HOLD)
        public String answered(@RequestParam @Positive int amount) {
            executions.incrementAndGet();
            return prices.priceOf(-amount);
        }

        @PostMapping("/recorded")
        @Idempotent(recordFailures = {ConstraintViolationException.class, MethodValidationException.class})
        public String recorded(@RequestParam @Positive int amount) {
            executions.incrementAndGet();
            return prices.priceOf(-amount);
        }

        @ExceptionHandler({ConstraintViolationException.class, MethodValidationException.class})
        ResponseEntity<String> violated() {
            return ResponseEntity.badRequest().body("violated");
        }
    }

    @Service
    @Validated
    static class Prices {

        public String priceOf(@Positive int amount) {
            return "price of " + amount;
        }
    }
}
