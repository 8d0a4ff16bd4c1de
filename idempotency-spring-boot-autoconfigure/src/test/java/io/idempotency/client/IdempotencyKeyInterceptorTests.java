package io.idempotency.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class IdempotencyKeyInterceptorTests {

    @RegisterExtension
    private final ScriptedServer server = new ScriptedServer();

    private final StepFixture steps = new StepFixture();

    private final RestClient client = client(new IdempotencyKeyInterceptor());

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void aRestClientSendsTheKeyOfItsStep() {
        String post = steps.inAStep(() -> send(HttpMethod.POST));
        String patch = steps.inAStep(() -> send(HttpMethod.PATCH));

        assertThat(server.keys()).containsExactly(List.of(post), List.of(patch));
    }

    @Test
    void aRestTemplateSendsTheKeyOfItsStep() {
        RestTemplate template = new RestTemplate(new JdkClientHttpRequestFactory());
        template.setInterceptors(List.of(new IdempotencyKeyInterceptor()));

        String key = steps.inAStep(() -> template.postForLocation(server.uri(), "{}"));

        assertThat(server.keys()).containsExactly(List.of(key));
    }

    @Test
    void aHeaderOfTheCallersOwnIsKept() {
        steps.inAStep(() -> CallKey.random()
                .run(() -> client.post()
                        .uri(server.uri())
                        .header("idempotency-key", "my own")
                        .retrieve()
                        .toBodilessEntity()));

        assertThat(server.keys()).containsExactly(List.of("my own"));
    }

    @Test
    void aSystemThatAcceptsNothingElseIsSentQuotedKeys() {
        RestClient quoting = client(new IdempotencyKeyInterceptor().withQuotedKeys());

        CallKey.of("order-1").run(() -> post(quoting, "{}"));
        CallKey.of("c:\\orders").run(() -> post(quoting, "{}"));
        String key = steps.inAStep(() -> post(quoting, "{}"));

        assertThat(server.keys())
                .containsExactly(List.of("\"order-1\""), List.of("\"c:\\\\orders\""), List.of('"' + key + '"'));
    }

    @Test
    void aRequestThatIsIdempotentByItselfCarriesNoKey() {
        steps.inAStep(() -> send(HttpMethod.GET));
        CallKey.random().run(() -> send(HttpMethod.PUT));
        steps.inAStep(() -> send(HttpMethod.DELETE));

        assertThat(server.keys()).containsExactly(List.of(), List.of(), List.of());
    }

    @Test
    void aRequestOutsideOfStepsAndCallsCarriesNoKey() {
        send(HttpMethod.POST);

        assertThat(server.keys()).containsExactly(List.of());
    }

    @Test
    void aRequestWhoseKeyIsInProgressIsSentAgainWhenTheServerSays() {
        server.answers(409, "1").answers(409, "0").answers(201);

        CallKey.of("order-1").run(() -> post(client, "{\"amount\":1}"));

        assertThat(server.keys()).containsExactly(List.of("order-1"), List.of("order-1"), List.of("order-1"));
        assertThat(server.bodies()).containsOnly("{\"amount\":1}");
    }

    @Test
    void aKeyOfTheCallersOwnIsSentAgainToo() {
        server.answers(409, "1");

        client.put()
                .uri(server.uri())
                .header("Idempotency-Key", "my own")
                .retrieve()
                .toBodilessEntity();

        assertThat(server.keys()).containsExactly(List.of("my own"), List.of("my own"));
    }

    /** An interceptor that signs or traces requests must see each of them. */
    @Test
    void whatIsSentAgainPassesTheInterceptorsThatFollow() {
        AtomicInteger passed = new AtomicInteger();
        RestClient observed = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new IdempotencyKeyInterceptor())
                .requestInterceptor((request, body, execution) -> {
                    passed.incrementAndGet();
                    return execution.execute(request, body);
                })
                .build();
        server.answers(409, "1");

        CallKey.random().run(() -> post(observed, "{}"));

        assertThat(passed).hasValue(2);
    }

    @Test
    void aPauseThatIsLongerThanTheLimitIsTheCallersBusiness() {
        server.answers(409, "31");

        assertThat(CallKey.random().call(() -> status(client))).isEqualTo(409);
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void allPausesTogetherAreLimited() {
        RestClient impatient = client(new IdempotencyKeyInterceptor(Duration.ofSeconds(2)));
        server.answers(409, "1").answers(409, "1").answers(409, "1").answers(409, "1");

        assertThat(CallKey.random().call(() -> status(impatient))).isEqualTo(409);
        assertThat(server.keys()).hasSize(3);
    }

    @Test
    void withoutALimitItDoesNotWait() {
        server.answers(409, "1");

        assertThat(CallKey.random().call(() -> status(client(new IdempotencyKeyInterceptor(Duration.ZERO)))))
                .isEqualTo(409);
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void onlyAConflictThatSaysWhenIsSentAgain() {
        server.answers(409).answers(503, "1").answers(409, "soon");

        assertThat(CallKey.random().call(() -> List.of(status(client), status(client), status(client))))
                .containsExactly(409, 503, 409);
        assertThat(server.keys()).hasSize(3);
    }

    @Test
    void aRequestWithoutAKeyIsNeverSentAgain() {
        server.answers(409, "1");

        assertThat(status(client)).isEqualTo(409);
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void whoIsInterruptedStopsWaiting() {
        RestClient interrupted = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new IdempotencyKeyInterceptor())
                .requestInterceptor(
                        (request, body, execution) -> interruptedByItsClose(execution.execute(request, body)))
                .build();
        server.answers(409, "30");

        assertThatThrownBy(() -> CallKey.random().run(() -> post(interrupted, "{}")))
                .hasRootCauseInstanceOf(InterruptedIOException.class)
                .hasRootCauseMessage("Interrupted while waiting for an earlier request with the same key");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void aNegativeLimitIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdempotencyKeyInterceptor(Duration.ofSeconds(-1)))
                .withMessageContaining("maxWait");
    }

    /** Closing is the last thing before the pause. */
    private static ClientHttpResponse interruptedByItsClose(ClientHttpResponse response) {
        return (ClientHttpResponse) Proxy.newProxyInstance(
                IdempotencyKeyInterceptorTests.class.getClassLoader(),
                new Class<?>[] {ClientHttpResponse.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(response, arguments);
                    if (method.getName().equals("close")) {
                        Thread.currentThread().interrupt();
                    }
                    return answer;
                });
    }

    private static RestClient client(IdempotencyKeyInterceptor interceptor) {
        return RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(interceptor)
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {})
                .build();
    }

    private void send(HttpMethod method) {
        client.method(method).uri(server.uri()).retrieve().toBodilessEntity();
    }

    private void post(RestClient client, String body) {
        client.post().uri(server.uri()).body(body).retrieve().toBodilessEntity();
    }

    private int status(RestClient client) {
        return client.post()
                .uri(server.uri())
                .body(UUID.randomUUID().toString())
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }
}
