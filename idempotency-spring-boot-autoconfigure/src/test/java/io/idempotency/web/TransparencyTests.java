package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What servers and other filters do to requests and responses around the door, they do to protected ones too. */
class TransparencyTests {

    private static final String TEXT = "grüße ".repeat(1000);

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Documents.class, Surroundings.class)
            .with(
                    "server.servlet.context-path=/shop",
                    "server.compression.enabled=true",
                    "server.compression.min-response-size=1KB",
                    "server.forward-headers-strategy=framework");

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @CsvSource({"gzip,identity", "identity,gzip", "gzip,gzip"})
    void theBodyIsCompressedAsThePresentRequestAccepts(String first, String second) {
        for (String encoding : new String[] {first, second}) {
            HttpResponse<byte[]> response = application.send(
                    application.json("/shop/text", "{}", "Idempotency-Key", key, "Accept-Encoding", encoding),
                    BodyHandlers.ofByteArray());

            boolean compressed =
                    response.headers().allValues("Content-Encoding").contains("gzip");
            assertThat(compressed).isEqualTo(encoding.equals("gzip"));
            assertThat(new String(compressed ? decompressed(response.body()) : response.body(), StandardCharsets.UTF_8))
                    .isEqualTo(TEXT);
        }
        assertThat(isReplay(post("/text"))).isTrue();
    }

    @Test
    void filtersThatHoldResponsesBackChangeNothing() {
        HttpResponse<String> first = post("/etag");
        HttpResponse<String> second = post("/etag");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(isReplay(second)).isTrue();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo("grüße");
        assertThat(second.headers().allValues("Content-Length"))
                .isEqualTo(first.headers().allValues("Content-Length"));
    }

    @Test
    void aRedirectLeadsToTheHostThatThePresentClientKnows() {
        HttpResponse<String> first = post(
                "/redirect",
                "X-Forwarded-Host",
                "one.example",
                "X-Forwarded-Proto",
                "https",
                "X-Forwarded-Prefix",
                "/a");
        HttpResponse<String> second = post("/redirect", "X-Forwarded-Host", "two.example");

        assertThat(isReplay(second)).isTrue();
        assertThat(first.headers().firstValue("Location")).contains("https://one.example/elsewhere");
        assertThat(second.headers().firstValue("Location")).contains("http://two.example/elsewhere");
    }

    @Test
    void aPreflightAsksForTheHeaderOfTheKey() {
        HttpResponse<String> response = application.send(application
                .request("/shop/text")
                .header("Origin", "https://shop.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type,idempotency-key")
                .method("OPTIONS", BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Access-Control-Allow-Headers").orElseThrow())
                .contains("idempotency-key");
    }

    @Test
    void safeRequestsOfAnAnnotatedHandlerAreAnsweredAsEver() {
        HttpResponse<String> get = application.send(application
                .request("/shop/both")
                .header("Accept-Encoding", "identity")
                .GET());
        HttpResponse<String> head = application.send(application
                .request("/shop/both")
                .header("Accept-Encoding", "identity")
                .header("Idempotency-Key", key)
                .method("HEAD", BodyPublishers.noBody()));

        assertThat(get.headers().firstValue("ETag")).isPresent();
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().allValues("Content-Length"))
                .isEqualTo(get.headers().allValues("Content-Length"))
                .isNotEmpty();
        assertThat(application
                        .send(application
                                .request("/shop/both")
                                .header(
                                        "If-None-Match",
                                        get.headers().firstValue("ETag").orElseThrow())
                                .GET())
                        .statusCode())
                .isEqualTo(304);
    }

    private HttpResponse<String> post(String path, String... headers) {
        var request = application.json("/shop" + path, "{}", "Idempotency-Key", key);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return application.send(request);
    }

    private static byte[] decompressed(byte[] bytes) {
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return stream.readAllBytes();
        } catch (IOException noGzip) {
            throw new UncheckedIOException(noGzip);
        }
    }

    @RestController
    static class Documents {

        @PostMapping(path = "/text", produces = "text/plain;charset=UTF-8")
        @Idempotent
        String text() {
            return TEXT;
        }

        @PostMapping("/etag")
        @Idempotent
        void held(HttpServletResponse response) throws IOException {
            response.setStatus(201);
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print("grüße");
            response.flushBuffer();
        }

        @PostMapping("/redirect")
        @Idempotent
        void redirect(HttpServletResponse response) throws IOException {
            response.sendRedirect("/elsewhere");
        }

        @RequestMapping(
                path = "/both",
                method = {RequestMethod.GET, RequestMethod.POST})
        @Idempotent
        String both() {
            return "both";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Surroundings implements WebMvcConfigurer {

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/text").allowedOrigins("https://shop.example").allowedHeaders("*");
        }

        @Bean
        FilterRegistrationBean<ShallowEtagHeaderFilter> outerEtags() {
            FilterRegistrationBean<ShallowEtagHeaderFilter> registration =
                    new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
            registration.setName("outerEtags");
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER - 1);
            return registration;
        }

        @Bean
        FilterRegistrationBean<ShallowEtagHeaderFilter> innerEtags() {
            FilterRegistrationBean<ShallowEtagHeaderFilter> registration =
                    new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
            registration.setName("innerEtags");
            return registration;
        }
    }
}
