package io.idempotency.web;

import io.idempotency.core.ClaimLostException;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordedFailureException;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepInDoubtException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * How a call that did not run is told to an HTTP client: one problem of RFC 9457 for each kind of exception, with a type
 * that stays the same. What is told holds neither keys nor values.
 */
public final class IdempotencyProblems {

    /** What all types begin with; the names that follow are those of {@link ProblemType}. */
    public static final String TYPE_PREFIX = "urn:problem-type:idempotency:";

    /** How long a client waits before it asks again while the store cannot be reached. */
    private static final Duration STORE_PAUSE = Duration.ofSeconds(5);

    /** What section 2.7 of the Internet draft asks for: a link to what describes the header. */
    private static final String DESCRIPTION =
            "<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>; rel=\"describedby\";"
                    + " type=\"text/html\"";

    private static final String IN_DOUBT =
            "It is not known whether the earlier request took effect. It must be resolved by the operator of this service"
                    + " before it can be sent again.";

    private static final List<Refusal> REFUSALS = List.of(
            new Refusal(
                    OperationInProgressException.class,
                    ProblemType.IN_PROGRESS,
                    "A request with this idempotency key is being processed. Send the same request again later."),
            new Refusal(
                    ClaimLostException.class,
                    ProblemType.IN_PROGRESS,
                    "Another attempt at this request has taken over. Send the same request again later."),
            new Refusal(
                    FingerprintMismatchException.class,
                    ProblemType.KEY_REUSED,
                    "This idempotency key was used for another request. Use a new key for a new request."),
            new Refusal(OperationInDoubtException.class, ProblemType.IN_DOUBT, IN_DOUBT),
            new Refusal(StepInDoubtException.class, ProblemType.IN_DOUBT, IN_DOUBT),
            new Refusal(
                    OutcomeUnavailableException.class,
                    ProblemType.OUTCOME_UNAVAILABLE,
                    "The earlier request has been processed, but its response is not available any more."
                            + " Nothing was processed again."),
            new Refusal(
                    StepConflictException.class,
                    ProblemType.STEP_CONFLICT,
                    "The earlier request has been processed in part, and this version of the service cannot"
                            + " continue it. Nothing was processed again."),
            new Refusal(
                    IdempotencyStoreException.class,
                    ProblemType.STORE_UNAVAILABLE,
                    "Requests with an idempotency key cannot be processed at the moment."),
            new Refusal(
                    RequestTooLargeException.class,
                    ProblemType.REQUEST_TOO_LARGE,
                    "The body is larger than this service accepts with an idempotency key."),
            new Refusal(
                    RecordedFailureException.class,
                    ProblemType.RECORDED_FAILURE,
                    "The earlier request has failed for good. Nothing was processed again."));

    private IdempotencyProblems() {}

    /** Returns the problem that tells of an exception; empty for a kind that the application has added. */
    public static Optional<ErrorResponse> of(IdempotencyException exception) {
        return find(exception).map(problem -> {
            retryAfter(exception).ifPresent(delay -> problem.header(HttpHeaders.RETRY_AFTER, seconds(delay)));
            return problem.build();
        });
    }

    private static Optional<ErrorResponse.Builder> find(IdempotencyException exception) {
        if (exception instanceof InvalidIdempotencyKeyException invalid) {
            return Optional.of(invalidKey(invalid));
        }
        return REFUSALS.stream()
                .filter(refusal -> refusal.kind().isInstance(exception))
                .findFirst()
                .map(refusal -> problem(exception, refusal.type()).detail(refusal.detail()));
    }

    /** Returns how long to wait before the same request is sent again; empty where nothing will change by itself. */
    private static Optional<Duration> retryAfter(IdempotencyException exception) {
        if (exception instanceof OperationInProgressException inProgress) {
            return Optional.of(inProgress.retryAfter());
        }
        if (exception instanceof ClaimLostException) {
            return Optional.of(Duration.ZERO);
        }
        return exception instanceof IdempotencyStoreException ? Optional.of(STORE_PAUSE) : Optional.empty();
    }

    private static ErrorResponse.Builder invalidKey(InvalidIdempotencyKeyException invalid) {
        ErrorResponse.Builder problem = switch (invalid.reason()) {
            case MISSING -> problem(invalid, ProblemType.KEY_MISSING);
            case MALFORMED -> problem(invalid, ProblemType.KEY_MALFORMED);
        };
        return problem.detail(String.valueOf(invalid.getMessage())).header(HttpHeaders.LINK, DESCRIPTION);
    }

    private static ErrorResponse.Builder problem(IdempotencyException exception, ProblemType type) {
        ProblemDetail detail = ProblemDetail.forStatus(type.status());
        detail.setType(type.uri());
        detail.setTitle(type.title());
        return ErrorResponse.builder(exception, detail);
    }

    /** Whole seconds, rounded up and at least one, as RFC 9110, section 10.2.3, writes a delay. */
    private static String seconds(Duration delay) {
        return Long.toString(Math.max(1, delay.plusMillis(999).toSeconds()));
    }

    /** What is told of a kind of exception. */
    private record Refusal(Class<? extends IdempotencyException> kind, ProblemType type, String detail) {}
}
