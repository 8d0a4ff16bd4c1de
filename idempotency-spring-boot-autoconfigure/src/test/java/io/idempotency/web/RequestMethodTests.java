package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A handler whose mapping names no method takes requests of all, also of those that Spring has no name for. */
class RequestMethodTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Resources.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "LOCK", "PROPFIND", "get"})
    void everyMethodThatMayChangeSomethingIsProtected(String method) {
        assertThat(send(method).statusCode()).isEqualTo(400);

        HttpResponse<String> first = send(method, "Idempotency-Key", key);
        HttpResponse<String> second = send(method, "Idempotency-Key", key);

        assertThat(first.body()).isEqualTo("resource " + (before + 1));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(send("MOVE", "Idempotency-Key", key).statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void safeMethodsRunAsIfTheAnnotationWereNotThere(String method) {
        assertThat(send(method).statusCode()).isEqualTo(200);
        assertThat(send(method, "Idempotency-Key", key).statusCode()).isEqualTo(200);
        assertThat(send(method, "Idempotency-Key", key).statusCode()).isEqualTo(200);
        assertThat(executions).hasValue(before + 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "TRACE"})
    void whatTheServerAnswersByItselfTouchesNoKey(String method) {
        send(method, "Idempotency-Key", key);

        assertThat(executions).hasValue(before);
        assertThat(isReplay(send("POST", "Idempotency-Key", key))).isFalse();
    }

    private static HttpResponse<String> send(String method, String... headers) {
        HttpRequest.Builder request = application.request("/resources").method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return application.send(request);
    }

    @RestController
    static class Resources {

        @RequestMapping("/resources")
        @Idempotent
        String resource() {
            return "resource " + executions.incrementAndGet();
        }
    }
}
