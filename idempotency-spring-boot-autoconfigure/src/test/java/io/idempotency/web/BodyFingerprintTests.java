package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bodies are the same for a fingerprint, by their kind. */
class BodyFingerprintTests extends WithComparedPayments {

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
    void theSameBytesOfAnotherTypeAreAnotherContent() {
        byte[] text = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        post("/text", "application/json", text);

        assertThat(isReplay(post("/text", "Application/JSON; charset=utf-8", text)))
                .isTrue();
        assertThat(post("/text", "text/plain", text).statusCode()).isEqualTo(422);
        assertThat(post("/text", "application/vnd.shop+json", text).statusCode())
                .isEqualTo(422);
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
}
