package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What an application does to problem details in general is done to those of this library. */
class ProblemCustomizationTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Orders.class, HeldOrders.class, Customization.class, Advice.class);

    private final String key = UUID.randomUUID().toString();

    @Test
    void interceptorsOfErrorResponsesSeeProblems() {
        HttpResponse<String> response = application.post("/orders", "{}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.headers().firstValue("Link").orElseThrow()).contains("rel=\"describedby\"");
        assertThat(response.body()).contains("\"support\":\"call us\"", "\"instance\":\"/orders\"", "key-missing");
    }

    @Test
    void messagesOfTheApplicationAreUsed() {
        application.post("/orders", "{}", "Idempotency-Key", key);

        HttpResponse<String> german =
                application.post("/orders", "{\"a\":1}", "Idempotency-Key", key, "Accept-Language", "de");
        HttpResponse<String> english =
                application.post("/orders", "{\"a\":1}", "Idempotency-Key", key, "Accept-Language", "en");

        assertThat(german.body()).contains("Schlüssel schon verwendet");
        assertThat(english.body()).contains("Idempotency key reused");
    }

    @Test
    void aProblemIsToldWhateverTheClientAccepts() {
        HttpResponse<String> response = application.post("/orders", "{}", "Accept", "application/pdf");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void anAdviceForAKindOfOurExceptionsTakesOver() {
        application.post("/held", "{}", "Idempotency-Key", key);

        assertThat(application.post("/held", "{}", "Idempotency-Key", key).statusCode())
                .isEqualTo(423);
    }

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        String create() {
            return "created";
        }

        @ExceptionHandler
        ResponseEntity<String> any(Exception exception) {
            return ResponseEntity.internalServerError()
                    .body(exception instanceof IdempotencyException ? "ours" : "any");
        }
    }

    @RestController
    static class HeldOrders {

        @PostMapping("/held")
        @Idempotent(onFailure = OnFailure.HOLD)
        ResponseEntity<String> hold() {
            return ResponseEntity.internalServerError().build();
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler
        ResponseEntity<String> doubt(OperationInDoubtException exception) {
            return ResponseEntity.status(423).body("locked");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customization implements WebMvcConfigurer {

        @Override
        public void addErrorResponseInterceptors(List<ErrorResponse.Interceptor> interceptors) {
            interceptors.add((detail, response) -> detail.setProperty("support", "call us"));
        }

        @Bean
        StaticMessageSource messageSource() {
            StaticMessageSource messages = new StaticMessageSource();
            messages.addMessage(
                    "problemDetail.title.io.idempotency.core.FingerprintMismatchException",
                    Locale.GERMAN,
                    "Schlüssel schon verwendet");
            return messages;
        }
    }
}
