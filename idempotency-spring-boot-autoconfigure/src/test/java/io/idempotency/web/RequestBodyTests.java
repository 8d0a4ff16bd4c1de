package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are read for a fingerprint: by whom else, how much of them, and when they cannot be. */
class RequestBodyTests extends WithComparedPayments {

    @ParameterizedTest
    @CsvSource({"/read-by-handler", "/read-by-reader", "/text"})
    void theBodyCanStillBeReadAfterItsFingerprintWasTaken(String path) {
        assertThat(chunked(path, "grüße").body()).isEqualTo("grüße");
        assertThat(isReplay(chunked(path, "grüße"))).isTrue();
        assertThat(chunked(path, "gruesse").statusCode()).isEqualTo(422);
    }

    @Test
    void theRawStreamOfAFormIsEmptyAndItsTextIsThere() {
        assertThat(form("POST", "/read-by-handler", "amount=10").body()).isEmpty();
        assertThat(form("POST", "/form-as-text", "amount=10").body()).isEqualTo("amount=10");
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
}
