package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StreamUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

class FingerprintTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class, ReadingFilter.class)
            .with("idempotency.web.max-request-size=1KB", "spring.mvc.formcontent.filter.enabled=false");

    private final String key = UUID.randomUUID().toString();

    @Test
    void anotherBodyIsMisuseOfTheKeyAndNothingOfTheAnswerIsShown() {
        String first = post("/json", "{\"amount\":10}").body();
        HttpResponse<String> second = post("/json", "{\"amount\":11}");

        assertThat(first).isEqualTo("{\"amount\":10}");
        assertThat(second.statusCode()).isEqualTo(422);
        assertThat(second.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(second.headers().firstValue("Retry-After")).isEmpty();
        assertThat(second.body())
                .contains("\"type\":\"urn:problem-type:idempotency:key-reused\"")
                .doesNotContain("amount", key);
        assertThat(isReplay(post("/json", "{\"amount\":10}"))).isTrue();
    }

    @Test
    void orderSpacingAndEscapesOfJsonDoNotMatter() {
        post("/json", "{\"a\":\"é\",\"b\":{\"c\":1,\"d\":[1,2]}}");

        assertThat(isReplay(post("/json", "{ \"b\" : {\"d\":[1, 2],\"c\":1}, \"a\":\"\\u00e9\" }")))
                .isTrue();
        assertThat(post("/json", "{\"a\":\"é\",\"b\":{\"c\":1,\"d\":[2,1]}}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void whatClaimsToBeJsonAndIsNotIsComparedByItsBytes() {
        assertThat(post("/text", "{not json").statusCode()).isEqualTo(200);
        assertThat(isReplay(post("/text", "{not json"))).isTrue();
        assertThat(post("/text", "{not  json").statusCode()).isEqualTo(422);
    }

    @Test
    void rawComparesTheBytesOfJson() {
        post("/raw", "{\"a\":1}");

        assertThat(isReplay(post("/raw", "{\"a\":1}"))).isTrue();
        assertThat(post("/raw", "{\"a\": 1}").statusCode()).isEqualTo(422);
    }

    @Test
    void noneComparesNothing() {
        post("/none", "{\"a\":1}");

        assertThat(isReplay(post("/none", "{\"a\":2}"))).isTrue();
    }

    @Test
    void anExpressionSaysWhatIsCompared() {
        post("/expression", "{\"amount\":1,\"note\":\"x\"}");

        assertThat(isReplay(post("/expression", "{\"amount\":1,\"note\":\"y\"}")))
                .isTrue();
        assertThat(post("/expression", "{\"amount\":2,\"note\":\"x\"}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void chosenFieldsAreIgnored() {
        assertThat(post("/retried/1", "{\"amount\":1,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(200);

        assertThat(isReplay(post("/retried/1", "{\"sentAt\":\"10:01\", \"amount\":1}")))
                .isTrue();
        assertThat(post("/retried/1", "{\"amount\":2,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(422);
        assertThat(post("/retried/2", "{\"amount\":1,\"sentAt\":\"10:00\"}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void theSameBytesOfAnotherTypeAreAnotherContent() {
        byte[] text = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        post("/text", "application/json", text);

        assertThat(isReplay(post("/text", "Application/JSON; charset=utf-8", text)))
                .isTrue();
        assertThat(post("/text", "text/plain", text).statusCode()).isEqualTo(422);
        assertThat(post("/text", "application/vnd.shop+json", text).statusCode())
                .isEqualTo(422);
    }

    @Test
    void pathVariablesAndMethodAreCompared() {
        assertThat(post("/orders/1/pay", "{}").body()).isEqualTo("paid 1");
        assertThat(post("/orders/2/pay", "{}").statusCode()).isEqualTo(422);
        assertThat(application
                        .send(json("/orders/1/pay", "{}").method("PUT", BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(422);
        assertThat(isReplay(post("/orders/1/pay", "{}"))).isTrue();
    }

    @Test
    void theOrderOfQueryParametersDoesNotMatter() {
        post("/json?a=1&b=2&b=3", "{}");

        assertThat(isReplay(post("/json?b=2&a=%31&b=3", "{}"))).isTrue();
        assertThat(post("/json?a=1&b=3&b=2", "{}").statusCode()).isEqualTo(422);
        assertThat(post("/json?a=1", "{}").statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({"POST,/form", "POST,/form-as-body", "PUT,/form-as-body", "POST,/form-as-text"})
    void formsAreComparedByTheirParameters(String method, String path) {
        assertThat(form(method, path, "amount=10&to=ada").body()).contains("10");
        assertThat(isReplay(form(method, path, "amount=10&to=ada"))).isTrue();
        assertThat(form(method, path, "amount=11&to=ada").statusCode()).isEqualTo(422);
    }

    @Test
    void multipartIsComparedByItsPartsAndNotByItsBoundary() {
        assertThat(multipart("one", "note.txt", "10").body()).isEqualTo("note.txt:10");
        assertThat(isReplay(multipart("two", "note.txt", "10"))).isTrue();
        assertThat(multipart("two", "note.txt", "11").statusCode()).isEqualTo(422);
        assertThat(multipart("two", "other.txt", "10").statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({"/read-by-handler", "/read-by-reader", "/text"})
    void theBodyCanStillBeReadAfterItsFingerprintWasTaken(String path) {
        assertThat(chunked(path, "grüße").body()).isEqualTo("grüße");
        assertThat(isReplay(chunked(path, "grüße"))).isTrue();
        assertThat(chunked(path, "gruesse").statusCode()).isEqualTo(422);
    }

    @Test
    void aBodyThatAFilterHasReadIsCompared() {
        assertThat(post("/read-by-filter", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
        assertThat(isReplay(post("/read-by-filter", "{\"a\":1}"))).isTrue();
        assertThat(post("/read-by-filter", "{\"a\":2}").statusCode()).isEqualTo(422);
    }

    @Test
    void aBodyThatNobodyReadsIsCompared() {
        post("/orders/1/pay", "{\"a\":1}");

        assertThat(post("/orders/1/pay", "{\"a\":2}").statusCode()).isEqualTo(422);
    }

    @Test
    void aBodyOverTheLimitIsRefusedBeforeAnythingHappens() {
        int claims = application.store().claims();
        String large = "{\"amount\":\"%s\"}".formatted("1".repeat(1024));

        HttpResponse<String> known = post("/json", large);
        HttpResponse<String> chunked = chunked("/text", "x".repeat(1025));
        HttpResponse<String> multipart = multipart("b", "n", "x".repeat(1025));
        HttpResponse<String> form = form("POST", "/form", "amount=" + "1".repeat(1024));
        HttpResponse<String> chunkedForm =
                chunked("/form", "application/x-www-form-urlencoded", "amount=" + "1".repeat(1024));

        for (HttpResponse<String> response : List.of(known, chunked, multipart, form, chunkedForm)) {
            assertThat(response.statusCode()).isEqualTo(413);
            assertThat(response.body()).contains("\"type\":\"urn:problem-type:idempotency:request-too-large\"");
        }
        assertThat(application.store().claims()).isEqualTo(claims);
        assertThat(chunked("/text", "x".repeat(1024)).statusCode()).isEqualTo(200);
    }

    @Test
    void theSameBytesInAnotherCharsetAreAnotherContent() {
        byte[] text = "grüße".getBytes(StandardCharsets.UTF_8);
        post("/text", "text/plain", text);

        assertThat(isReplay(post("/text", "text/plain;charset=utf-8", text))).isTrue();
        assertThat(post("/text", "text/plain;charset=ISO-8859-1", text).statusCode())
                .isEqualTo(422);
    }

    @Test
    void jsonIsComparedAsItsCharsetSays() {
        String json = "{\"to\":\"é\"}";
        post("/json", "application/json", json.getBytes(StandardCharsets.UTF_8));

        assertThat(isReplay(post(
                        "/json", "application/json;charset=ISO-8859-1", json.getBytes(StandardCharsets.ISO_8859_1))))
                .isTrue();
        assertThat(post("/json", "application/json;charset=ISO-8859-1", json.getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void anEmptyBodyIsTheSameWhateverItsContentType() {
        byte[] empty = {};
        post("/orders/1/pay", "application/json", empty);

        assertThat(isReplay(post("/orders/1/pay", "text/plain", empty))).isTrue();
        assertThat(isReplay(application.send(application
                        .request("/orders/1/pay")
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.noBody()))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/json", "application/x-www-form-urlencoded"})
    void aBodyThatCannotBeReadIsTheFaultOfTheClient(String contentType) throws IOException {
        int claims = application.store().claims();

        assertThat(malformedChunk("/orders/1/pay", contentType)).startsWith("HTTP/1.1 400");

        assertThat(application.store().claims()).isEqualTo(claims);
    }

    @Test
    void withoutAFingerprintThereIsNoLimit() {
        assertThat(post("/none", "{\"amount\":\"%s\"}".formatted("1".repeat(2048)))
                        .statusCode())
                .isEqualTo(200);
    }

    private HttpResponse<String> post(String path, String body) {
        return application.send(json(path, body));
    }

    private HttpRequest.Builder json(String path, String body) {
        return application.json(path, body, "Idempotency-Key", key);
    }

    private HttpResponse<String> form(String method, String path, String body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> post(String path, String contentType, byte[] body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    /** Sends a chunk without a size and gives the first line of the response. */
    private String malformedChunk(String path, String contentType) throws IOException {
        URI uri = application.uri(path);
        String request = String.join(
                "\r\n",
                "POST " + path + " HTTP/1.1",
                "Host: " + uri.getAuthority(),
                "Idempotency-Key: " + key,
                "Content-Type: " + contentType,
                "Transfer-Encoding: chunked",
                "",
                "no size",
                "",
                "");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return String.valueOf(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine());
        }
    }

    private HttpResponse<String> chunked(String path, String body) {
        return chunked(path, "text/plain;charset=UTF-8", body);
    }

    private HttpResponse<String> chunked(String path, String contentType, String body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))));
    }

    private HttpResponse<String> multipart(String boundary, String fileName, String content) {
        String body = String.join(
                "\r\n",
                "--" + boundary,
                "Content-Disposition: form-data; name=\"file\"; filename=\"" + fileName + '"',
                "Content-Type: text/plain",
                "",
                content,
                "--" + boundary + "--",
                "");
        return application.send(application
                .request("/multipart")
                .header("Idempotency-Key", key)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofString(body)));
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    record Payment(int amount, String note) {}

    @RestController
    static class Payments {

        @PostMapping("/json")
        @Idempotent
        String json(@RequestBody String body) {
            return body;
        }

        @PostMapping("/text")
        @Idempotent
        String text(@RequestBody String body) {
            return body;
        }

        @PostMapping("/raw")
        @Idempotent(fingerprint = "RAW")
        String raw(@RequestBody String body) {
            return body;
        }

        @PostMapping("/retried/{id}")
        @Idempotent(ignoredFields = "sentAt")
        String retried(@PathVariable int id, @RequestBody String body) {
            return body;
        }

        @PostMapping("/none")
        @Idempotent(fingerprint = "NONE")
        String none(@RequestBody String body) {
            return body;
        }

        @PostMapping("/expression")
        @Idempotent(fingerprint = "#payment.amount")
        int expression(@RequestBody Payment payment) {
            return payment.amount();
        }

        @RequestMapping(
                path = "/orders/{id}/pay",
                method = {RequestMethod.POST, RequestMethod.PUT})
        @Idempotent
        String pay(@PathVariable int id) {
            return "paid " + id;
        }

        @PostMapping("/form")
        @Idempotent
        String form(@RequestParam String amount) {
            return amount;
        }

        @RequestMapping(
                path = "/form-as-body",
                method = {RequestMethod.POST, RequestMethod.PUT})
        @Idempotent
        String formAsBody(@RequestBody MultiValueMap<String, String> form) {
            return String.valueOf(form.getFirst("amount"));
        }

        @PostMapping("/form-as-text")
        @Idempotent
        String formAsText(@RequestBody String form) {
            return form;
        }

        @PostMapping("/multipart")
        @Idempotent
        String multipart(@RequestParam MultipartFile file) throws IOException {
            return file.getOriginalFilename() + ":" + new String(file.getBytes(), StandardCharsets.UTF_8);
        }

        @PostMapping("/read-by-filter")
        @Idempotent
        String readByFilter(@RequestBody String body) {
            return body;
        }

        @PostMapping("/read-by-handler")
        @Idempotent
        String readByHandler(HttpServletRequest request) throws IOException {
            return StreamUtils.copyToString(request.getInputStream(), StandardCharsets.UTF_8);
        }

        @PostMapping("/read-by-reader")
        @Idempotent
        String readByReader(HttpServletRequest request) throws IOException {
            return request.getReader().readLine();
        }
    }

    /** Reads bodies before the handler is known, as the check of a signature does. */
    @Configuration(proxyBeanMethods = false)
    static class ReadingFilter {

        @Bean
        FilterRegistrationBean<Filter> readingFilter() {
            FilterRegistrationBean<Filter> registration =
                    new FilterRegistrationBean<>((request, response, chain) -> chain.doFilter(read(request), response));
            registration.addUrlPatterns("/read-by-filter");
            return registration;
        }

        private static ServletRequest read(ServletRequest request) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            return new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public ServletInputStream getInputStream() {
                    return new DelegatingServletInputStream(new ByteArrayInputStream(body));
                }
            };
        }
    }
}
