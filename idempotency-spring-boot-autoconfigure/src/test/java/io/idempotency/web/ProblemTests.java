package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.ClaimLostException;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordedFailureException;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepInDoubtException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

class ProblemTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, OwnHandlers.class, CatchAll.class);

    private static final StepIdentity STEP = StepIdentity.of("step", null);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void repair() {
        application.store().setDown(false);
    }

    static Stream<Arguments> problems() {
        Identity identity = Identity.of("app", "operation", null, "key");
        return Stream.of(
                Arguments.of(
                        new InvalidIdempotencyKeyException(InvalidIdempotencyKeyException.Reason.MISSING, "m"),
                        400,
                        "key-missing",
                        null),
                Arguments.of(
                        new InvalidIdempotencyKeyException(InvalidIdempotencyKeyException.Reason.MALFORMED, "m"),
                        400,
                        "key-malformed",
                        null),
                Arguments.of(new OperationInProgressException(identity, Duration.ZERO), 409, "in-progress", "1"),
                Arguments.of(
                        new OperationInProgressException(identity, Duration.ofMillis(2001)), 409, "in-progress", "3"),
                Arguments.of(new FingerprintMismatchException(identity), 422, "key-reused", null),
                Arguments.of(new OperationInDoubtException(identity, 1), 409, "in-doubt", null),
                Arguments.of(new ClaimLostException(identity, 1), 409, "in-progress", "1"),
                Arguments.of(new StepInDoubtException(identity, STEP, 1), 409, "in-doubt", null),
                Arguments.of(new StepConflictException(identity, STEP, "r", null), 500, "step-conflict", null),
                Arguments.of(new OutcomeUnavailableException(identity, "r", null), 409, "outcome-unavailable", null),
                Arguments.of(new IdempotencyStoreException("down", null), 503, "store-unavailable", "5"),
                Arguments.of(new RequestTooLargeException(1), 413, "request-too-large", null),
                Arguments.of(new RecordedFailureException(identity, "T", "m"), 500, "recorded-failure", null));
    }

    @ParameterizedTest
    @MethodSource("problems")
    void everyKindOfExceptionHasItsProblem(
            IdempotencyException exception, int status, String type, @Nullable String retryAfter) {
        ErrorResponse problem = IdempotencyProblems.of(exception).orElseThrow();

        assertThat(problem.getStatusCode().value()).isEqualTo(status);
        assertThat(problem.getBody().getStatus()).isEqualTo(status);
        assertThat(problem.getBody().getType()).isEqualTo(URI.create("urn:problem-type:idempotency:" + type));
        assertThat(problem.getBody().getTitle()).isNotBlank();
        assertThat(problem.getBody().getDetail()).isNotBlank();
        assertThat(problem.getHeaders().getFirst("Retry-After")).isEqualTo(retryAfter);
        assertThat(problem.getHeaders().containsHeader("Link")).isEqualTo(status == 400);
    }

    @Test
    void withoutAStoreNothingRuns() {
        int before = executions.get();
        application.store().setDown(true);

        HttpResponse<String> response = post("/orders");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("5");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"type\":\"urn:problem-type:idempotency:store-unavailable\"");
        assertThat(executions).hasValue(before);
    }

    @Test
    void anAdviceForAllExceptionsDoesNotTurnARefusalIntoAnotherError() {
        assertThat(application.post("/orders", "{}").statusCode()).isEqualTo(400);
        assertThat(application.post("/fails", "{}", "Idempotency-Key", key).body())
                .as("the advice is there")
                .isEqualTo("caught");
    }

    @Test
    void aHandlerOfTheControllerForAnExceptionOfOursTakesOver() {
        HttpResponse<String> response = application.post("/own", "{}");

        assertThat(response.statusCode()).isEqualTo(402);
        assertThat(response.body()).isEqualTo("own: MISSING");
    }

    @Test
    void aHandlerForAnotherExceptionOfOursDoesNotTakeOver() {
        application.post("/own", "{}", "Idempotency-Key", key);

        assertThat(application.post("/own", "{\"a\":1}", "Idempotency-Key", key).statusCode())
                .isEqualTo(422);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create() {
            return "order " + executions.incrementAndGet();
        }

        @PostMapping("/fails")
        @Idempotent
        String fail() {
            throw new IllegalStateException("broken");
        }
    }

    @RestController
    static class OwnHandlers {

        @PostMapping("/own")
        @Idempotent
        String create() {
            return "done";
        }

        @ExceptionHandler
        ResponseEntity<String> invalidKey(InvalidIdempotencyKeyException exception) {
            return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED).body("own: " + exception.reason());
        }
    }

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler
        ResponseEntity<String> any(Exception exception) {
            return ResponseEntity.internalServerError().body("caught");
        }
    }
}
