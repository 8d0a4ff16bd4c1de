package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Headers of a response, which filters around the exchange, the server and the handler set. */
class ResponseHeadersTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Documents.class, Around.class).with("spring.servlet.encoding.force-response=false");

    private static final String OF_THE_FIRST = "Thu, 01 Jan 1970 00:00:00 GMT";

    private final String key = UUID.randomUUID().toString();

    @Test
    void whatAFilterAroundHasSetIsThatOfThePresentRequest() {
        HttpResponse<String> first = post("/documents/plain", "Preferred", "de");
        HttpResponse<String> second = post("/documents/plain", "Preferred", "en");

        assertThat(first.headers().allValues("Content-Language")).containsExactly("de");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(second.headers().allValues("Content-Language")).containsExactly("en");
    }

    @ParameterizedTest
    @ValueSource(strings = {"header", "added", "locale"})
    void whatTheHandlerSetsIsReplayedAlsoWhereAFilterHasSetTheSame(String way) {
        HttpResponse<String> first = post("/documents/" + way, "Preferred", "de");
        HttpResponse<String> second = post("/documents/" + way, "Preferred", "en");

        assertThat(first.headers().allValues("Content-Language")).contains("de");
        assertThat(second.headers().allValues("Content-Language"))
                .isEqualTo(first.headers().allValues("Content-Language"));
    }

    @Test
    void whatAFilterAroundHasSetIsGoneAfterAReset() {
        post("/documents/reset", "Preferred", "de");

        assertThat(post("/documents/reset", "Preferred", "en").headers().allValues("Content-Language"))
                .containsExactly("fr");
    }

    @ParameterizedTest
    @ValueSource(strings = {"set", "add"})
    void aContentTypeThatIsSetAsAHeaderChangesNoEncodingThatIsInUse(String way) {
        HttpResponse<String> unprotected = post("/unprotected/" + way);
        HttpResponse<String> first = post("/typed/" + way);
        HttpResponse<String> second = post("/typed/" + way);

        assertThat(unprotected.body()).isEqualTo("grüße");
        assertThat(first.body()).isEqualTo("grüße");
        assertThat(second.body()).isEqualTo("grüße");
        assertThat(first.headers().allValues("Content-Type"))
                .isEqualTo(second.headers().allValues("Content-Type"))
                .singleElement()
                .asString()
                .isEqualToIgnoringCase("text/html;charset=ISO-8859-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Date", "Keep-Alive", "Proxy-Authenticate", "Upgrade"})
    void whatBelongsToOneMessageOrConnectionIsNotReplayed(String name) {
        HttpResponse<String> first = post("/messages/" + name);
        HttpResponse<String> second = post("/messages/" + name);

        assertThat(first.headers().allValues(name)).contains(OF_THE_FIRST);
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(second.headers().allValues(name)).doesNotContain(OF_THE_FIRST);
    }

    private HttpResponse<String> post(String path, String... headers) {
        return application.send(
                headers.length == 0
                        ? application.json(path, "{}", "Idempotency-Key", key)
                        : application.json(path, "{}", "Idempotency-Key", key).headers(headers));
    }

    @RestController
    static class Documents {

        @PostMapping("/documents/{way}")
        @Idempotent
        void document(HttpServletResponse response, @PathVariable String way) throws IOException {
            switch (way) {
                case "header" -> response.setHeader("content-language", "de");
                case "added" -> response.addHeader("Content-Language", "fr");
                case "locale" -> response.setLocale(Locale.GERMAN);
                case "reset" -> {
                    response.reset();
                    response.setHeader("Content-Language", "fr");
                }
                default -> response.setHeader("Content-Location", "/documents/1");
            }
            response.getWriter().print("a document");
        }

        @PostMapping("/messages/{header}")
        @Idempotent
        void message(HttpServletResponse response, @PathVariable String header) throws IOException {
            response.setHeader(header, OF_THE_FIRST);
            response.getWriter().print("a message");
        }

        @PostMapping("/typed/{way}")
        @Idempotent
        void typed(HttpServletResponse response, @PathVariable String way) throws IOException {
            write(response, way);
        }

        @PostMapping("/unprotected/{way}")
        void unprotected(HttpServletResponse response, @PathVariable String way) throws IOException {
            write(response, way);
        }

        private static void write(HttpServletResponse response, String way) throws IOException {
            response.setContentType("text/plain;charset=ISO-8859-1");
            PrintWriter writer = response.getWriter();
            if (way.equals("set")) {
                response.setHeader("Content-Type", "text/html;charset=UTF-8");
            } else {
                response.addHeader("content-type", "text/html;charset=UTF-8");
            }
            writer.print("grüße");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Around {

        @Bean
        FilterRegistrationBean<Filter> preferredLanguage() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                String language = ((HttpServletRequest) request).getHeader("Preferred");
                if (language != null) {
                    ((HttpServletResponse) response).setHeader("Content-Language", language);
                }
                chain.doFilter(request, response);
            });
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER - 1);
            return registration;
        }
    }
}
