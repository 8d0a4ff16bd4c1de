package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The query that the client sends, and the parameters that the handler sees, are compared whatever lies between them. */
class DispatchedQueryTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class, Between.class);

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(strings = {"forward", "async"})
    void theQueryOfADispatchDoesNotHideThatOfTheClient(String way) {
        String path = "/front/" + way;

        assertThat(post(path + "?amount=10").body()).isEqualTo("paid 10");
        assertThat(isReplay(post(path + "?amount=10"))).isTrue();
        assertThat(post(path + "?amount=11").statusCode()).isEqualTo(422);
        assertThat(post(path + "?amount=10&then=1").statusCode()).isEqualTo(422);
    }

    @Test
    void thePathThatTheClientSentIsComparedToo() {
        assertThat(post("/front/forward/alice?amount=10").body()).isEqualTo("paid 10");
        assertThat(isReplay(post("/front/forward/alice?amount=10"))).isTrue();
        assertThat(post("/front/forward/bob?amount=10").statusCode()).isEqualTo(422);
    }

    @Test
    void aParameterThatAFilterChangesIsComparedAsTheHandlerSeesIt() {
        assertThat(post("/payments?amount=0", "Changed-Amount", "10").body()).isEqualTo("paid 10");
        assertThat(isReplay(post("/payments?amount=0", "Changed-Amount", "10"))).isTrue();
        assertThat(post("/payments?amount=0", "Changed-Amount", "11").statusCode())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({"%E9,%E8", "%E9,%25E9", "a,%61=", "%FF%FE,%FE%FF"})
    void whatTheQueryHoldsIsComparedByItsBytes(String query, String other) {
        assertThat(post("/query?" + query).body()).isEqualTo(query);
        assertThat(isReplay(post("/query?" + query))).isTrue();
        assertThat(post("/query?" + other).statusCode()).isEqualTo(422);
    }

    @Test
    void theCaseOfWhatIsEscapedDoesNotMatter() {
        assertThat(post("/query?%c3%A9=1").body()).isEqualTo("%c3%A9=1");
        assertThat(isReplay(post("/query?%C3%a9=%31"))).isTrue();
    }

    private HttpResponse<String> post(String path, String... headers) {
        HttpRequest.Builder request = application.json(path, "{}", "Idempotency-Key", key);
        return application.send(headers.length == 0 ? request : request.headers(headers));
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @RestController
    static class Payments {

        @PostMapping("/payments")
        @Idempotent
        String pay(@RequestParam String amount) {
            return "paid " + amount;
        }

        @PostMapping("/query")
        @Idempotent
        @Nullable
        String query(HttpServletRequest request) {
            return request.getQueryString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Between {

        @Bean
        ServletRegistrationBean<Front> front() {
            return new ServletRegistrationBean<>(new Front(), "/front/*");
        }

        @Bean
        Filter changingFilter() {
            return (request, response, chain) -> {
                String amount = ((HttpServletRequest) request).getHeader("Changed-Amount");
                chain.doFilter(amount == null ? request : changed((HttpServletRequest) request, amount), response);
            };
        }

        private static HttpServletRequest changed(HttpServletRequest request, String amount) {
            return new HttpServletRequestWrapper(request) {
                @Override
                public String[] getParameterValues(String name) {
                    return name.equals("amount") ? new String[] {amount} : super.getParameterValues(name);
                }
            };
        }
    }

    static final class Front extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            String target = "/payments?source=front";
            if (request.getPathInfo().startsWith("/async")) {
                request.startAsync().dispatch(target);
            } else {
                Objects.requireNonNull(request.getRequestDispatcher(target)).forward(request, response);
            }
        }
    }
}
