package io.idempotency.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.JournaledSteps;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class StepKeyInterceptorTests {

    private final List<List<String>> received = new CopyOnWriteArrayList<>();

    private final OutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(1_000);

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(100),
            codecs,
            new EngineSettings("client", Duration.ofSeconds(20), 0),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    private final RestClient client =
            RestClient.builder().requestInterceptor(new StepKeyInterceptor()).build();

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        idempotency.close();
    }

    @Test
    void aRestClientSendsTheKeyOfItsStep() {
        String post = inAStep(() -> send(HttpMethod.POST));
        String patch = inAStep(() -> send(HttpMethod.PATCH));

        assertThat(received).containsExactly(List.of(post), List.of(patch));
    }

    @Test
    void aRestTemplateSendsTheKeyOfItsStep() {
        RestTemplate template = new RestTemplate();
        template.setInterceptors(List.of(new StepKeyInterceptor()));

        String key = inAStep(() -> template.postForLocation(uri(), "{}"));

        assertThat(received).containsExactly(List.of(key));
    }

    @Test
    void aKeyOfTheCallersOwnIsKept() {
        inAStep(() -> client.post()
                .uri(uri())
                .header("idempotency-key", "my own")
                .retrieve()
                .toBodilessEntity());

        assertThat(received).containsExactly(List.of("my own"));
    }

    @Test
    void aRequestThatIsIdempotentByItselfCarriesNoKey() {
        inAStep(() -> send(HttpMethod.GET));
        inAStep(() -> send(HttpMethod.PUT));
        inAStep(() -> send(HttpMethod.DELETE));

        assertThat(received).containsExactly(List.of(), List.of(), List.of());
    }

    @Test
    void aRequestOutsideOfAStepCarriesNoKey() {
        send(HttpMethod.POST);

        assertThat(received).containsExactly(List.of());
    }

    /** Makes a call in a step of a new operation, and returns the key of the step. */
    private String inAStep(Runnable call) {
        return idempotency
                .operation("order")
                .key(UUID.randomUUID().toString())
                .execute(
                        String.class,
                        () -> JournaledSteps.recorded(codecs).run("charge", String.class, step -> {
                            call.run();
                            return step.key();
                        }))
                .value();
    }

    private void send(HttpMethod method) {
        client.method(method).uri(uri()).retrieve().toBodilessEntity();
    }

    private String uri() {
        return "http://localhost:" + server.getAddress().getPort() + "/charges";
    }
}
