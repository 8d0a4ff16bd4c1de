package io.idempotency.sample.problem;

import io.idempotency.sample.order.OrderChangedException;
import io.idempotency.sample.payment.PaymentRefundedException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClientException;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;

/**
 * Answers what the shop cannot do with a problem (RFC 9457). The starter's own refusals never come here.
 *
 * <p>The unique constraints are the last line of defence: they hold also where a caller comes past the starter.
 */
@RestControllerAdvice
class ShopProblems extends ResponseEntityExceptionHandler {

    @ExceptionHandler
    ProblemDetail duplicate(DuplicateKeyException violation) {
        return DuplicateProblem.of(violation).orElseThrow(() -> violation).problem();
    }

    /** The gateway, the invoicing or the mail service refused or did not answer. Steps that were done are kept. */
    @ExceptionHandler
    ProblemDetail outside(RestClientException failure) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.BAD_GATEWAY,
                "A system that the shop depends on did not do its part. Send the request again.");
        problem.setType(URI.create("urn:problem-type:shop:system-failed"));
        problem.setTitle("Another system failed");
        return problem;
    }

    @ExceptionHandler
    ProblemDetail refunded(PaymentRefundedException refund) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.CONFLICT,
                "The money for this order was given back before the order was complete. Its account is closed and no"
                        + " mail is sent. Buy again by a new order.");
        problem.setType(URI.create("urn:problem-type:shop:payment-refunded"));
        problem.setTitle("The payment was given back");
        return problem;
    }

    @ExceptionHandler
    ProblemDetail changed(OrderChangedException change) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.UNPROCESSABLE_CONTENT,
                "This order was sent before with other content, whatever the key. Send it as it was, or order anew.");
        problem.setType(URI.create("urn:problem-type:shop:order-changed"));
        problem.setTitle("This order was sent with other content");
        return problem;
    }

    /** Names the field that cannot be read, such as one with a fraction where a whole number is asked for. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        ProblemDetail problem = createProblemDetail(unreadable, status, "Failed to read request", null, null, request);
        if (unreadable.getCause() instanceof JacksonException mismatch
                && !mismatch.getPath().isEmpty()) {
            String field =
                    mismatch.getPath().stream().map(Reference::getPropertyName).collect(Collectors.joining("."));
            problem.setProperty("errors", Map.of(field, "cannot be read as what it is to be"));
        }
        return handleExceptionInternal(unreadable, problem, headers, status, request);
    }

    /** Names the fields that are wrong, and what is wrong with each. */
    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Map<String, String> errors = new TreeMap<>();
        invalid.getFieldErrors()
                .forEach(error -> errors.merge(
                        error.getField(),
                        String.valueOf(error.getDefaultMessage()),
                        (first, second) -> first + "; " + second));
        invalid.getBody().setProperty("errors", errors);
        return handleExceptionInternal(invalid, null, headers, status, request);
    }
}
