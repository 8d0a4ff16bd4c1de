package io.idempotency.sample.problem;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** The unique constraints of the shop, and what a caller is told who runs into one. */
enum DuplicateProblem {
    CHECKOUT_EVENT(
            "unique_checkout_event_id",
            "duplicate-invoice",
            "The event has an invoice",
            "There is an invoice for this event. The shop filed no second invoice; what another system did before is not"
                    + " undone."),

    LEAD_EMAIL(
            "unique_lead_email",
            "duplicate-lead",
            "The address is registered",
            "Another request registered this address, before or at the same moment. Nothing was created by this"
                    + " one.");

    private final String constraint;

    private final URI type;

    private final String title;

    private final String detail;

    DuplicateProblem(String constraint, String name, String title, String detail) {
        this.constraint = constraint;
        this.type = URI.create("urn:problem-type:shop:" + name);
        this.title = title;
        this.detail = detail;
    }

    /** Finds the constraint that was violated, which every database names in its message; empty if it is none of these. */
    static Optional<DuplicateProblem> of(DuplicateKeyException violation) {
        String message =
                String.valueOf(violation.getMostSpecificCause().getMessage()).toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(problem -> message.contains(problem.constraint))
                .findFirst();
    }

    ProblemDetail problem() {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, detail);
        problem.setType(type);
        problem.setTitle(title);
        problem.setProperty("constraint", constraint);
        return problem;
    }
}
