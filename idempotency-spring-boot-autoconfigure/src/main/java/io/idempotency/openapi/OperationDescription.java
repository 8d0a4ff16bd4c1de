package io.idempotency.openapi;

import io.idempotency.core.OnStoreFailure;
import io.idempotency.interceptor.FingerprintStrategy;
import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.web.IdempotencyFilter;
import io.idempotency.web.ProblemType;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.List;

/** What is added to an operation whose handler is protected. What the application has declared stays as it is. */
final class OperationDescription {

    private final WebSettings settings;

    private final Components components;

    private final KeyHeader keyHeader;

    /** @param components those of the document that the operations are in */
    OperationDescription(WebSettings settings, Components components) {
        this.settings = settings;
        this.components = components;
        this.keyHeader = new KeyHeader(settings, new DeclaredHeaders(components));
    }

    /**
     * Adds the description of a handler.
     *
     * @param optional whether requests of the operation may go to another handler that needs no key
     */
    void add(IdempotentMethod handler, boolean optional, Operation operation, PathItem path) {
        if (handler.key().isEmpty()) {
            keyHeader.add(handler, optional, operation, path);
        }
        if (operation.getResponses() == null) {
            operation.setResponses(new ApiResponses());
        }
        ApiResponses responses = operation.getResponses();
        responses.forEach(OperationDescription::addReplayMarker);
        ProblemResponses problems = new ProblemResponses(components);
        problems(handler, operation.getRequestBody() != null).forEach(types -> problems.add(types, responses));
    }

    private static void addReplayMarker(String status, ApiResponse response) {
        boolean recorded = status.startsWith("2") || status.startsWith("3");
        if (recorded && response.get$ref() == null) {
            response.addHeaderObject(
                    IdempotencyFilter.REPLAY_MARKER,
                    new Header()
                            .description(
                                    "Only on a replay: the response was recorded by an earlier request with this key,"
                                            + " and nothing was executed.")
                            .schema(new StringSchema().addEnumItem("true")));
        }
    }

    /** Returns the problems that a request may meet; those of one list have one status. */
    private List<List<ProblemType>> problems(IdempotentMethod handler, boolean hasBody) {
        List<List<ProblemType>> problems = new ArrayList<>();
        problems.add(
                handler.required()
                        ? List.of(ProblemType.KEY_MISSING, ProblemType.KEY_MALFORMED)
                        : List.of(ProblemType.KEY_MALFORMED));
        problems.add(List.of(ProblemType.IN_PROGRESS, ProblemType.IN_DOUBT, ProblemType.OUTCOME_UNAVAILABLE));
        boolean compared = handler.fingerprintStrategy().orElse(settings.fingerprint()) != FingerprintStrategy.NONE;
        boolean comparedByExpression = handler.fingerprint().isPresent();
        if (compared && !comparedByExpression && hasBody) {
            problems.add(List.of(ProblemType.REQUEST_TOO_LARGE));
        }
        if (compared || comparedByExpression) {
            problems.add(List.of(ProblemType.KEY_REUSED));
        }
        if (needsStore(handler)) {
            problems.add(List.of(ProblemType.STORE_UNAVAILABLE));
        }
        return problems;
    }

    /** Whoever proceeds without a store is not refused, unless rows and record are to be written together. */
    private static boolean needsStore(IdempotentMethod handler) {
        return handler.policy().onStoreFailure() == OnStoreFailure.REJECT
                || handler.policy().transaction().isPresent();
    }
}
