package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Exchanges whose end is told more than once, or before their response. */
class ExchangeEndTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Orders.class, Redaction.class).with("idempotency.web.max-response-size=1KB");

    private static final AtomicInteger parts = new AtomicInteger();

    private static final List<String> redacted = new CopyOnWriteArrayList<>();

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        parts.set(0);
        redacted.clear();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/large", "/stream"})
    void whatIsNotRecordedIsShownToNoRedactor(String path) {
        assertThat(post(path).statusCode()).isEqualTo(200);

        assertThat(post(path).body()).contains("outcome-unavailable");
        assertThat(redacted).isEmpty();
    }

    @Test
    void aFailureThatIsToldWhileTheResponseIsRecordedChangesNothing() {
        assertThat(post("/interrupted").body()).isEqualTo("order");

        HttpResponse<String> second = post("/interrupted");

        assertThat(second.body()).isEqualTo("order");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).isPresent();
        assertThat(redacted).containsExactly("interrupted");
    }

    @Test
    void whatIsCompletedEndsWithItsDispatch() {
        assertThat(post("/completed").body()).isEqualTo("order of a part");

        HttpResponse<String> second = post("/completed");
        assertThat(second.body()).isEqualTo("order of a part");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).isPresent();
        assertThat(parts).hasValue(1);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    @RestController
    static class Orders {

        @PostMapping("/large")
        @Idempotent
        String large() {
            return "x".repeat(20_000);
        }

        @PostMapping("/stream")
        @Idempotent
        Object stream() throws IOException {
            SseEmitter emitter = new SseEmitter();
            emitter.send("order");
            emitter.complete();
            return emitter;
        }

        @PostMapping("/interrupted")
        @Idempotent(operation = "interrupted")
        String interrupted() {
            return "order";
        }

        @PostMapping("/completed")
        @Idempotent
        void completed(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
            AsyncContext context = request.startAsync();
            response.getWriter().write("order");
            context.complete();
            request.getRequestDispatcher("/part").include(request, response);
        }

        @PostMapping("/part")
        @Idempotent
        void part(HttpServletResponse response) throws IOException {
            parts.incrementAndGet();
            response.getWriter().write(" of a part");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Redaction {

        @Bean
        ResponseRedactor redactor() {
            return response -> {
                redacted.add(response.operation());
                if (response.operation().equals("interrupted")) {
                    exchange().atEnd().byThrowable(new IllegalStateException("broken"));
                }
                return Optional.of(response);
            };
        }

        private static IdempotentExchange exchange() {
            ServletRequestAttributes attributes =
                    (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
            return IdempotentExchange.of(attributes.getRequest()).orElseThrow();
        }
    }
}
