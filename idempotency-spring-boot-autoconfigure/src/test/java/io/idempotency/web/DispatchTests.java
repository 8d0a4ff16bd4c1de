package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.error.ErrorPageRegistrar;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Requests that come to a handler by another way than from the client: by a forward, an include, a later dispatch. */
class DispatchTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Orders.class, Servlets.class).with("spring.web.error.include-message=always");

    private static final AtomicInteger executions = new AtomicInteger();

    private static final AtomicBoolean broken = new AtomicBoolean();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @ParameterizedTest
    @ValueSource(strings = {"forward", "async"})
    void aHandlerIsProtectedThatAnotherServletDispatchesTo(String way) {
        String first = post("/servlet/" + way + "?to=/orders").body();

        assertThat(first).isEqualTo("order " + (before + 1) + ", attempt 1");
        assertThat(post("/servlet/" + way + "?to=/orders").body()).isEqualTo(first);
    }

    @Test
    void aHandlerThatAnotherServletIncludesIsRefused() {
        HttpResponse<String> refused = post("/servlet/include?to=/orders");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("could be neither refused nor recorded; forward the request");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async"})
    void aHandlerIsRefusedThatAnUnprotectedOneDispatchesTo(String way) {
        HttpResponse<String> refused = post("/unprotected/" + way + "?to=/orders");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).containsPattern("annotate the handler that (includes|dispatches)");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async", "view"})
    void aHandlerIsAPartOfTheProtectedOneThatDispatchesToIt(String way) {
        String first = post("/protected/" + way + "?to=/orders").body();

        assertThat(first).containsOnlyOnce("order " + (before + 1) + ", attempt 1");
        assertThat(post("/protected/" + way + "?to=/orders").body()).isEqualTo(first);
        assertThat(executions).hasValue(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async", "view"})
    void aFailureOfAPartFreesTheKey(String way) {
        broken.set(true);
        int failed = post("/protected/" + way + "?to=/orders").statusCode();
        broken.set(false);

        assertThat(failed).isEqualTo(500);
        assertThat(post("/protected/" + way + "?to=/orders").body()).contains("order " + (before + 1) + ", attempt 2");
    }

    /** It has no annotation, so nothing tells whether it does any work. */
    @Test
    void aFailureOfWhatAHandlerForwardsToFreesTheKeyUnlessTheHandlerHasEnded() {
        broken.set(true);
        int failed = post("/protected/forward?to=/plain").statusCode();
        post("/protected/view?to=/plain");
        broken.set(false);

        assertThat(failed).isEqualTo(500);
        assertThat(post("/protected/forward?to=/plain").body()).isEqualTo("plain");
        assertThat(post("/protected/view?to=/plain").body()).contains("outcome-unavailable");
    }

    @Test
    void whatIsIncludedStandsWhereItWasIncluded() {
        assertThat(post("/protected/include?to=/plain").body()).isEqualTo("[plain]");
    }

    @Test
    void aHandlerWithAnotherKeyIsNoPart() {
        HttpResponse<String> refused = post("/protected/forward?to=/events");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("their keys are in different headers");
        assertThat(executions).hasValue(before);
    }

    @Test
    void aHandlerWithAKeyOfItsOwnIsAnOrdinaryCall() {
        String first = application
                .post("/protected/forward?to=/payments/" + key, "{}", "Idempotency-Key", key)
                .body();
        String second = application
                .post("/protected/forward?to=/payments/" + key, "{}", "Idempotency-Key", key + "-2")
                .body();

        assertThat(first).isEqualTo("payment " + (before + 1));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void withoutAKeyNeitherIsProtected() {
        assertThat(postWithoutKey("/optional/view?to=/optional").body()).isEqualTo("optional " + (before + 1));
        assertThat(postWithoutKey("/optional/view?to=/optional").body()).isEqualTo("optional " + (before + 2));
    }

    @Test
    void aHandlerThatNeedsAKeyIsNotReachedWithoutOne() {
        assertThat(postWithoutKey("/optional/view?to=/orders").body()).contains("the second requires one");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/servlet/include?to=/any",
                "/servlet/forward?to=/any",
                "/any/include?to=/any",
                "/any/view?to=/any",
                "/any/view?to=/any/keyed"
            })
    void whatIsReachedBySafeMethodsRunsAsIfTheAnnotationWereNotThere(String path) {
        assertThat(get(path).body()).contains("any " + (before + 1));
        assertThat(get(path).body()).contains("any " + (before + 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protected/error", "/unprotected/error"})
    void anErrorPageIsRenderedAsIfTheAnnotationWereNotThere(String path) {
        assertThat(post(path).statusCode()).isEqualTo(409);
        assertThat(post(path).body()).isEqualTo("error page");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protected/gone", "/unprotected/gone"})
    void whatAnErrorPageForwardsToRunsAsIfTheAnnotationWereNotThere(String path) {
        HttpResponse<String> first = post(path);

        assertThat(first.statusCode()).isEqualTo(410);
        assertThat(first.body()).isEqualTo("any " + (before + 1));
        assertThat(post(path).body()).isEqualTo("any " + (before + 2));
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }

    private static HttpResponse<String> postWithoutKey(String path) {
        return application.post(path, "{}");
    }

    private static HttpResponse<String> get(String path) {
        HttpRequest.Builder get = application.request(path).GET();
        return application.send(get);
    }

    private static void dispatch(HttpServletRequest request, HttpServletResponse response, String way)
            throws ServletException, IOException {
        if (way.equals("error")) {
            response.sendError(409);
            return;
        }
        if (way.equals("gone")) {
            response.sendError(410);
            return;
        }
        String target = request.getParameter("to");
        switch (way) {
            case "forward" -> dispatcher(request, target).forward(request, response);
            case "async" -> request.startAsync().dispatch(target);
            default -> {
                response.getOutputStream().print("[");
                dispatcher(request, target).include(request, response);
                response.getOutputStream().print("]");
            }
        }
    }

    private static RequestDispatcher dispatcher(HttpServletRequest request, String target) {
        return Objects.requireNonNull(request.getRequestDispatcher(target));
    }

    @Controller
    static class Orders {

        @PostMapping("/orders")
        @Idempotent
        @ResponseBody
        String create() {
            failIfBroken();
            long attempt = IdempotencyContext.current().orElseThrow().attempt();
            return "order " + executions.incrementAndGet() + ", attempt " + attempt;
        }

        @PostMapping("/events")
        @Idempotent(header = "webhook-id", required = false)
        @ResponseBody
        String event() {
            return "event " + executions.incrementAndGet();
        }

        @PostMapping("/payments/{id}")
        @Idempotent(key = "#id")
        @ResponseBody
        String pay(@PathVariable String id) {
            return "payment " + executions.incrementAndGet();
        }

        @PostMapping("/plain")
        @ResponseBody
        String plain() {
            failIfBroken();
            return "plain";
        }

        private static void failIfBroken() {
            if (broken.get()) {
                throw new IllegalStateException("broken");
            }
        }

        @RequestMapping("/gone")
        String gone() {
            return "forward:/any";
        }

        @PostMapping("/unprotected/{way}")
        void unprotected(HttpServletRequest request, HttpServletResponse response, @PathVariable String way)
                throws Exception {
            dispatch(request, response, way);
        }

        @PostMapping("/protected/{way}")
        @Idempotent
        void protecting(HttpServletRequest request, HttpServletResponse response, @PathVariable String way)
                throws Exception {
            dispatch(request, response, way);
        }

        @PostMapping("/protected/view")
        @Idempotent
        String protectingByView(@RequestParam String to) {
            return "forward:" + to;
        }

        @PostMapping("/optional/view")
        @Idempotent(required = false)
        String optionalByView(@RequestParam String to) {
            return "forward:" + to;
        }

        @PostMapping("/optional")
        @Idempotent(required = false)
        @ResponseBody
        String optional() {
            return "optional " + executions.incrementAndGet();
        }
    }

    @Controller
    @Idempotent
    @RequestMapping("/any")
    static class OfAnyMethod {

        @RequestMapping
        @ResponseBody
        String any() {
            return "any " + executions.incrementAndGet();
        }

        @RequestMapping("/view")
        String view(@RequestParam String to) {
            return "forward:" + to;
        }

        @RequestMapping("/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
            dispatch(request, response, "include");
        }

        @RequestMapping("/keyed")
        @Idempotent(operation = "keyed", key = "#to")
        @ResponseBody
        String keyed(@RequestParam String to) {
            return any();
        }

        @RequestMapping("/error-page")
        @ResponseBody
        String errorPage() {
            return "error page";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Servlets {

        @Bean
        OfAnyMethod ofAnyMethod() {
            return new OfAnyMethod();
        }

        @Bean
        ServletRegistrationBean<DispatchingServlet> servlet() {
            return new ServletRegistrationBean<>(new DispatchingServlet(), "/servlet/*");
        }

        @Bean
        ErrorPageRegistrar errorPages() {
            return registry -> registry.addErrorPages(
                    new ErrorPage(HttpStatus.CONFLICT, "/any/error-page"), new ErrorPage(HttpStatus.GONE, "/gone"));
        }
    }

    static final class DispatchingServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            dispatch(request, response, request.getPathInfo().substring(1));
        }
    }
}
