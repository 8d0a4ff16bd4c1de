package io.idempotency.openapi;

import io.idempotency.web.ProblemType;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;

/** The refusals of an operation, each a problem of RFC 9457. */
final class ProblemResponses {

    private static final String PROBLEM = "IdempotencyProblem";

    private static final Set<ProblemType> TRANSIENT = Set.of(ProblemType.IN_PROGRESS, ProblemType.STORE_UNAVAILABLE);

    private final Components components;

    ProblemResponses(Components components) {
        this.components = components;
    }

    /**
     * Adds a response for problems of one status, unless the application has declared one.
     *
     * @param types at least one
     */
    void add(List<ProblemType> types, ApiResponses responses) {
        String status = Integer.toString(types.get(0).status().value());
        if (responses.containsKey(status)) {
            return;
        }
        if (components.getSchemas() == null || !components.getSchemas().containsKey(PROBLEM)) {
            components.addSchemas(PROBLEM, problem());
        }
        MediaType content = new MediaType().schema(new Schema<>().$ref(Components.COMPONENTS_SCHEMAS_REF + PROBLEM));
        types.forEach(type -> content.addExamples(name(type), example(type)));
        ApiResponse response = new ApiResponse()
                .description(types.stream().map(ProblemType::title).collect(Collectors.joining("; ")))
                .content(new Content().addMediaType("application/problem+json", content));
        if (types.stream().anyMatch(TRANSIENT::contains)) {
            response.addHeaderObject(HttpHeaders.RETRY_AFTER, retryAfter());
        }
        responses.addApiResponse(status, response);
    }

    private static String name(ProblemType type) {
        String uri = type.uri().toString();
        return uri.substring(uri.lastIndexOf(':') + 1);
    }

    private static Example example(ProblemType type) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", type.uri().toString());
        problem.put("title", type.title());
        problem.put("status", type.status().value());
        return new Example().summary(type.title()).value(problem);
    }

    private static Header retryAfter() {
        return new Header()
                .description("In how many seconds to send the same request again; absent where that would not help.")
                .schema(new IntegerSchema().minimum(BigDecimal.ONE));
    }

    private static Schema<?> problem() {
        return new ObjectSchema()
                .description("A refusal, as described by RFC 9457. Nothing was executed by this request.")
                .addProperty(
                        "type",
                        new StringSchema().format("uri").description("The kind of problem, which stays the same"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema());
    }
}
