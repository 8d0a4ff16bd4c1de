package io.idempotency.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.web.IdempotencyProblems;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProtectedOperationsTests {

    private static ConfigurableApplicationContext context = new SpringApplicationBuilder().context();

    private static JsonNode document = JsonMapper.shared().createObjectNode();

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(DescribedShop.class)
                .properties(
                        "server.port=0",
                        "idempotency.store=memory",
                        "idempotency.web.key-pattern=[0-9a-f-]{36}",
                        "idempotency.web.max-key-length=64")
                .run();
        // The first description takes its time, which not every client library gives it.
        String text = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .build()
                .get()
                .uri(
                        "http://localhost:{port}/v3/api-docs",
                        context.getEnvironment().getProperty("local.server.port"))
                .retrieve()
                .body(String.class);
        document = JsonMapper.shared().readTree(text);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void theHeaderOfTheKeyIsAParameterWithItsRules() {
        JsonNode header = parameters("/orders", "post").get(0);

        assertThat(parameters("/orders", "post")).hasSize(1);
        assertThat(header.at("/name").asString()).isEqualTo("Idempotency-Key");
        assertThat(header.at("/in").asString()).isEqualTo("header");
        assertThat(header.at("/required").asBoolean()).isTrue();
        assertThat(header.at("/schema/type").asString()).isEqualTo("string");
        assertThat(header.at("/schema/maxLength").asInt()).isEqualTo(64);
        assertThat(header.at("/schema/pattern").asString()).isEqualTo("^(?:[0-9a-f-]{36})$");
        assertThat(header.at("/description").asString())
                .contains(
                        "kept for PT24H",
                        "may be quoted",
                        "at most 64 printable ASCII characters",
                        "X-Idempotency-Key instead");
    }

    @Test
    void anOperationMayHaveAHeaderOfItsOwnThatIsNotRequired() {
        JsonNode header = parameters("/events", "post").get(0);

        assertThat(parameters("/events", "post")).hasSize(1);
        assertThat(header.at("/name").asString()).isEqualTo("webhook-id");
        assertThat(header.at("/required").asBoolean()).isFalse();
        assertThat(header.at("/description").asString())
                .contains("kept for PT168H", "Without a key the request is not protected")
                .doesNotContain("instead");
    }

    @Test
    void aKeyThatIsMadeOfArgumentsHasNoHeader() {
        assertThat(operation("/payments", "post").has("parameters")).isFalse();
        assertThat(statuses("/payments", "post")).contains("400", "409");
    }

    @Test
    void refusalsAreResponsesWithTheTypesOfTheirProblems() {
        assertThat(statuses("/orders", "post")).containsExactlyInAnyOrder("201", "400", "409", "413", "422", "503");
        assertThat(problemTypes("400")).containsExactly("key-missing", "key-malformed");
        assertThat(problemTypes("409")).containsExactly("in-progress", "in-doubt", "outcome-unavailable");
        assertThat(problemTypes("413")).containsExactly("request-too-large");
        assertThat(problemTypes("422")).containsExactly("key-reused");
        assertThat(problemTypes("503")).containsExactly("store-unavailable");
    }

    @Test
    void refusalsThatPassSayWhenToComeBack() {
        assertThat(Stream.of("400", "409", "413", "422", "503")
                        .filter(status ->
                                response("/orders", status).at("/headers").has("Retry-After")))
                .containsExactly("409", "503");
    }

    @Test
    void refusalsShareOneSchema() {
        JsonNode schema = document.at("/components/schemas/IdempotencyProblem/properties");

        assertThat(schema.propertyNames()).containsExactly("type", "title", "status", "detail");
        assertThat(response("/orders", "409")
                        .at("/content/application~1problem+json/schema/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/IdempotencyProblem");
    }

    @Test
    void whatIsNotComparedIsNeitherTooLargeNorReused() {
        assertThat(statuses("/events", "post")).containsExactlyInAnyOrder("200", "400", "409", "503");
    }

    @Test
    void withoutABodyNothingIsTooLarge() {
        assertThat(statuses("/both", "put")).contains("422").doesNotContain("413");
    }

    @Test
    void successesMayBeReplays() {
        assertThat(response("/orders", "201")
                        .at("/headers/Idempotent-Replayed/schema/enum/0")
                        .asString())
                .isEqualTo("true");
        assertThat(response("/orders", "409").at("/headers").has("Idempotent-Replayed"))
                .isFalse();
    }

    @Test
    void anUnprotectedOperationIsLeftAlone() {
        assertThat(operation("/unprotected", "post").has("parameters")).isFalse();
        assertThat(statuses("/unprotected", "post")).containsExactly("200");
        assertThat(response("/unprotected", "200").has("headers")).isFalse();
    }

    @Test
    void aSafeMethodOfAProtectedHandlerIsLeftAlone() {
        assertThat(operation("/both", "get").has("parameters")).isFalse();
        assertThat(statuses("/both", "get")).containsExactly("200");
        assertThat(parameters("/both", "put")).hasSize(1);
    }

    @Test
    void whatTheApplicationDeclaresIsKept() {
        JsonNode header = parameters("/declared", "post").get(0);

        assertThat(parameters("/declared", "post")).hasSize(1);
        assertThat(header.at("/name").asString()).isEqualTo("idempotency-key");
        assertThat(header.at("/description").asString()).isEqualTo("mine");
        assertThat(response("/declared", "409").at("/description").asString()).isEqualTo("sold out");
        assertThat(response("/declared", "409").has("headers")).isFalse();
        assertThat(statuses("/declared", "post")).contains("422", "503");
    }

    @Test
    void aHeaderThatIsDeclaredByReferenceIsNotDeclaredAgain() {
        assertThat(parameters("/referring", "post").values().stream()
                        .map(JsonNode::toString)
                        .toList())
                .containsExactly("{\"$ref\":\"#/components/parameters/Key\"}");
    }

    /** One operation of the document may be several handlers. */
    @Test
    void aKeyThatOneOfSeveralHandlersNeedsIsNotRequired() {
        assertThat(parameters("/imports", "post")).hasSize(1);
        assertThat(parameters("/imports", "post").get(0).at("/required").asBoolean())
                .isFalse();
    }

    @Test
    void nothingOfTheWayThereIsLeft() {
        assertThat(document.toString()).doesNotContain("x-idempotency", "extensions");
    }

    private static JsonNode operation(String path, String method) {
        JsonNode operation = document.at("/paths").path(path).path(method);
        assertThat(operation.isMissingNode()).as(path).isFalse();
        return operation;
    }

    private static JsonNode parameters(String path, String method) {
        return operation(path, method).path("parameters");
    }

    private static Collection<String> statuses(String path, String method) {
        return operation(path, method).path("responses").propertyNames();
    }

    private static JsonNode response(String path, String status) {
        return operation(path, "post").path("responses").path(status);
    }

    /** Returns the last parts of the types that the examples of a response show. */
    private static List<String> problemTypes(String status) {
        JsonNode content = response("/orders", status).path("content").path("application/problem+json");
        return content.path("examples").values().stream()
                .map(example -> example.at("/value/type").asString())
                .map(type -> type.substring(IdempotencyProblems.TYPE_PREFIX.length()))
                .toList();
    }
}
