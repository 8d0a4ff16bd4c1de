package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Ways to send a request and to reach a handler that few clients and applications use, under a context path. */
class WireTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(
                    Orders.class, Payments.class, Advice.class, OtherWays.class)
            .with(
                    "server.servlet.context-path=/shop",
                    // Jetty needs a library of its own for it.
                    "server.http2.enabled=" + !WebApplication.ON_JETTY,
                    "spring.mvc.hiddenmethod.filter.enabled=true");

    private static final String JSON = "application/json";

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @Test
    @DisabledIfSystemProperty(named = "idempotency.test.server", matches = "jetty")
    void aRequestOverHttp2IsReplayed() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        HttpRequest request =
                application.json("/shop/orders", "{}", "Idempotency-Key", key).build();
        HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
        HttpResponse<String> again = client.send(request, BodyHandlers.ofString());

        assertThat(again.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertReplayed(first, again);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/orders", "/shop/orders;v=1", "/shop/second/orders"})
    void aHandlerIsProtectedWhateverLeadsToIt(String path) {
        assertReplayed(post(path), post(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/orders/%61", "/shop/orders/a;v=1", "/shop/second/orders/a"})
    void thePathIsComparedAsItWasSent(String another) {
        assertThat(post("/shop/orders/a").statusCode()).isEqualTo(200);
        assertThat(post(another).statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATCH", "DELETE"})
    void theBodyIsComparedWhateverTheMethod(String method) {
        assertReplayed(send(method, JSON, "{\"amount\":1}"), send(method, JSON, "{ \"amount\": 1 }"));
        assertThat(send(method, JSON, "{\"amount\":2}").statusCode()).isEqualTo(422);
    }

    @Test
    void aFormMayNameTheMethod() {
        HttpResponse<String> first = send("POST", "application/x-www-form-urlencoded", "_method=delete&reason=late");

        assertThat(first.body()).isEqualTo("deleted " + (before + 1));
        assertReplayed(first, send("POST", "application/x-www-form-urlencoded", "_method=delete&reason=late"));
    }

    @Test
    void aClientMaySendItsBodyWhenItIsTold() {
        HttpRequest.Builder request =
                application.json("/shop/orders", "{}", "Idempotency-Key", key).expectContinue(true);

        assertReplayed(application.send(request), application.send(request));
    }

    @Test
    void handlersOfOnePathHaveKeysOfTheirOwn() {
        HttpResponse<String> json = post("/shop/typed", JSON);
        HttpResponse<String> text = post("/shop/typed", "text/plain");

        assertThat(json.body()).isEqualTo("json " + (before + 1));
        assertThat(text.body()).isEqualTo("text " + (before + 2));
        assertReplayed(json, post("/shop/typed", JSON));
    }

    @Test
    void aFunctionalRouteMayCallAProtectedService() {
        String first = post("/shop/routed/" + key).body();

        assertThat(first).isEqualTo("payment " + (before + 1));
        assertThat(post("/shop/routed/" + key).body()).isEqualTo(first);
    }

    @Test
    void whatAdviceMakesOfABodyIsReplayed() {
        HttpResponse<String> first = post("/shop/advised");
        executions.incrementAndGet();

        assertThat(first.body()).isEqualTo("{\"advised\":" + (before + 1) + "}");
        assertReplayed(first, post("/shop/advised"));
    }

    @Test
    void trailersAreSentAndNotReplayed() throws IOException {
        String first = postWithTrailer();
        String again = postWithTrailer();

        assertThat(first).contains("read 3", "x-answer: 42");
        assertThat(again).contains("read 3", "Idempotent-Replayed: true").doesNotContain("x-answer");
    }

    private static void assertReplayed(HttpResponse<String> first, HttpResponse<String> again) {
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().map()).doesNotContainKey(IdempotencyFilter.REPLAY_MARKER);
        assertThat(again.headers().firstValue(IdempotencyFilter.REPLAY_MARKER)).contains("true");
        assertThat(again.body()).isEqualTo(first.body());
    }

    private HttpResponse<String> post(String path) {
        return post(path, JSON);
    }

    private HttpResponse<String> post(String path, String type) {
        return application.send(application
                .request(path)
                .headers("Content-Type", type, "Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{}")));
    }

    private HttpResponse<String> send(String method, String type, String body) {
        return application.send(application
                .request("/shop/orders/1")
                .headers("Content-Type", type, "Idempotency-Key", key)
                .method(method, BodyPublishers.ofString(body)));
    }

    private String postWithTrailer() throws IOException {
        try (Socket client = new Socket("localhost", application.uri("/").getPort())) {
            client.setSoTimeout(30_000);
            String request = """
                    POST /shop/trailers HTTP/1.1
                    Host: localhost
                    TE: trailers
                    Connection: TE, close
                    Content-Type: text/plain
                    Idempotency-Key: %s
                    Transfer-Encoding: chunked
                    Trailer: x-sum

                    3
                    abc
                    0
                    x-sum: 17

                    """.formatted(key).replace("\n", "\r\n");
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @RestController
    static class Orders {

        @PostMapping({"/orders", "/orders/{id}"})
        @Idempotent
        String create() {
            return "order " + executions.incrementAndGet();
        }

        @PatchMapping("/orders/{id}")
        @Idempotent
        String change(@RequestBody String body) {
            return "changed " + executions.incrementAndGet();
        }

        @DeleteMapping("/orders/{id}")
        @Idempotent
        String delete() {
            return "deleted " + executions.incrementAndGet();
        }

        @PostMapping(path = "/typed", consumes = "application/json")
        @Idempotent
        String typedJson() {
            return "json " + executions.incrementAndGet();
        }

        @PostMapping(path = "/typed", consumes = "text/plain")
        @Idempotent
        String typedText() {
            return "text " + executions.incrementAndGet();
        }

        @PostMapping("/advised")
        @Idempotent
        Map<String, Object> advised() {
            return Map.of("execution", executions.incrementAndGet());
        }

        @PostMapping("/trailers")
        @Idempotent
        void trailers(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int length = request.getInputStream().readAllBytes().length;
            response.setTrailerFields(() -> Map.of("x-answer", "42"));
            response.getOutputStream().print("read " + length);
        }
    }

    @Service
    static class Payments {

        @Idempotent(key = "#id")
        public String pay(String id) {
            return "payment " + executions.incrementAndGet();
        }
    }

    @ControllerAdvice
    static class Advice implements ResponseBodyAdvice<Object> {

        @Override
        public boolean supports(MethodParameter type, Class<? extends HttpMessageConverter<?>> converter) {
            return Map.class.isAssignableFrom(type.getParameterType());
        }

        @Override
        public Object beforeBodyWrite(
                Object body,
                MethodParameter type,
                MediaType contentType,
                Class<? extends HttpMessageConverter<?>> converter,
                ServerHttpRequest request,
                ServerHttpResponse response) {
            return Map.of("advised", executions.get());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherWays {

        @Bean
        RouterFunction<ServerResponse> routed(Payments payments) {
            return RouterFunctions.route()
                    .POST("/routed/{id}", request -> ServerResponse.ok().body(payments.pay(request.pathVariable("id"))))
                    .build();
        }

        @Bean
        ServletRegistrationBean<DispatcherServlet> second(WebApplicationContext context) {
            ServletRegistrationBean<DispatcherServlet> registration =
                    new ServletRegistrationBean<>(new DispatcherServlet(context), "/second/*");
            registration.setName("second");
            return registration;
        }
    }
}
