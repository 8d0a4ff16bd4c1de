package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnAbandoned;
import io.idempotency.step.IdempotentSteps;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ResponseStatusException;

/** Failures of a handler that are told by a forward to another protected handler, which ends well. */
class ForwardedFailureTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @Test
    void aDoubtRemains() {
        assertThat(post("/doubtful").statusCode()).isEqualTo(422);

        HttpResponse<String> second = post("/doubtful");

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:in-doubt\"");
    }

    @Test
    void aRecordedKindOfFailureIsRecorded() {
        int before = executions.get();

        assertThat(post("/declined").statusCode()).isEqualTo(502);
        HttpResponse<String> second = post("/declined");

        assertThat(second.statusCode()).isEqualTo(502);
        assertThat(second.body()).isEqualTo("sorry");
        assertThat(isReplay(second)).isTrue();
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void whatTheCallerMayNotDoIsNoOutcome() {
        int before = executions.get();

        assertThat(post("/denied").statusCode()).isEqualTo(404);
        HttpResponse<String> second = post("/denied");

        assertThat(second.statusCode()).isEqualTo(404);
        assertThat(isReplay(second)).isFalse();
        assertThat(executions).hasValue(before + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/charged-and-denied", "/charged-and-busy"})
    void whatEndsSoAfterTheHandlerHasReturnedIsNotDoneAgain(String path) {
        int before = executions.get();

        assertThat(post(path).statusCode()).isIn(404, 429);
        HttpResponse<String> second = post(path);

        assertThat(second.body()).contains("\"type\":\"urn:problem-type:idempotency:outcome-unavailable\"");
        assertThat(executions).hasValue(before + 1);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    @Controller
    static class Payments {

        private final IdempotentSteps steps;

        Payments(IdempotentSteps steps) {
            this.steps = steps;
        }

        @PostMapping("/doubtful")
        @Idempotent
        String doubtful() {
            return steps.step("charge").onAbandoned(OnAbandoned.HOLD).run(String.class, step -> {
                throw new UnsupportedOperationException("no answer");
            });
        }

        @PostMapping("/declined")
        @Idempotent(recordFailures = DeclinedException.class)
        String declined() {
            executions.incrementAndGet();
            throw new DeclinedException();
        }

        @PostMapping("/denied")
        @Idempotent
        String denied() {
            executions.incrementAndGet();
            throw new AuthorizationDeniedException("not yours");
        }

        @PostMapping("/charged-and-denied")
        @Idempotent
        String chargedAndDenied() {
            executions.incrementAndGet();
            return "forward:/secret-page";
        }

        @PostMapping("/secret-page")
        String secretPage() {
            throw new AuthorizationDeniedException("not yours");
        }

        @PostMapping("/charged-and-busy")
        @Idempotent
        String chargedAndBusy() {
            executions.incrementAndGet();
            return "forward:/busy-page";
        }

        @PostMapping("/busy-page")
        String busyPage() {
            throw new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS);
        }

        @ExceptionHandler
        String unanswered(UnsupportedOperationException exception) {
            return "forward:/unanswered-page";
        }

        @ExceptionHandler
        String declined(DeclinedException exception) {
            return "forward:/declined-page";
        }

        @ExceptionHandler
        String denied(AuthorizationDeniedException exception) {
            return "forward:/denied-page";
        }

        @PostMapping("/unanswered-page")
        @Idempotent
        ResponseEntity<String> unansweredPage() {
            return ResponseEntity.status(422).body("sorry");
        }

        @PostMapping("/declined-page")
        @Idempotent(recordFailures = DeclinedException.class)
        ResponseEntity<String> declinedPage() {
            return ResponseEntity.status(502).body("sorry");
        }

        @PostMapping("/denied-page")
        @Idempotent
        ResponseEntity<String> deniedPage() {
            return ResponseEntity.status(404).body("sorry");
        }
    }

    static class DeclinedException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
