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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    private IdempotencyProblems() {}

    /** Returns the problem that tells of an exception; empty for a kind that the application has added. */
    public static Optional<ErrorResponse> of(IdempotencyException exception) {
        return Optional.ofNullable(find(exception)).map(ErrorResponse.Builder::build);
    }

    private static ErrorResponse.@Nullable Builder find(IdempotencyException exception) {
        if (exception instanceof InvalidIdempotencyKeyException invalid) {
            return invalidKey(invalid);
        }
        if (exception instanceof OperationInProgressException inProgress) {
            return problem(exception, ProblemType.IN_PROGRESS)
                    .detail(
                            "A request with this idempotency key is being processed. Send the same request again later.")
                    .header(HttpHeaders.RETRY_AFTER, seconds(inProgress.retryAfter()));
        }
        if (exception instanceof ClaimLostException) {
            return problem(exception, ProblemType.IN_PROGRESS)
                    .detail("Another attempt at this request has taken over. Send the same request again later.")
                    .header(HttpHeaders.RETRY_AFTER, seconds(Duration.ZERO));
        }
        if (exception instanceof FingerprintMismatchException) {
            return problem(exception, ProblemType.KEY_REUSED)
                    .detail("This idempotency key was used for another request. Use a new key for a new request.");
        }
        if (exception instanceof OperationInDoubtException || exception instanceof StepInDoubtException) {
            return problem(exception, ProblemType.IN_DOUBT)
                    .detail(
                            "It is not known whether the earlier request took effect. It must be resolved by the operator"
                                    + " of this service before it can be sent again.");
        }
        if (exception instanceof OutcomeUnavailableException) {
            return problem(exception, ProblemType.OUTCOME_UNAVAILABLE)
                    .detail("The earlier request has been processed, but its response is not available any more."
                            + " Nothing was processed again.");
        }
        if (exception instanceof StepConflictException) {
            return problem(exception, ProblemType.STEP_CONFLICT)
                    .detail("The earlier request has been processed in part, and this version of the service cannot"
                            + " continue it. Nothing was processed again.");
        }
        if (exception instanceof IdempotencyStoreException) {
            return problem(exception, ProblemType.STORE_UNAVAILABLE)
                    .detail("Requests with an idempotency key cannot be processed at the moment.")
                    .header(HttpHeaders.RETRY_AFTER, seconds(STORE_PAUSE));
        }
        if (exception instanceof RequestTooLargeException) {
            return problem(exception, ProblemType.REQUEST_TOO_LARGE)
                    .detail("The body is larger than this service accepts with an idempotency key.");
        }
        if (exception instanceof RecordedFailureException) {
            return problem(exception, ProblemType.RECORDED_FAILURE)
                    .detail("The earlier request has failed for good. Nothing was processed again.");
        }
        return null;
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
}
