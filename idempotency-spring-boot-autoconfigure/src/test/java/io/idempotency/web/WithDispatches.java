package io.idempotency.web;

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
import org.junit.jupiter.api.extension.RegisterExtension;
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

/** Handlers and servlets that forward, include and dispatch to each other. */
abstract class WithDispatches {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Orders.class, Servlets.class).with("spring.web.error.include-message=always");

    static final AtomicInteger executions = new AtomicInteger();

    static final AtomicBoolean broken = new AtomicBoolean();

    final String key = UUID.randomUUID().toString();

    final int before = executions.get();

    HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key + path);
    }

    static HttpResponse<String> postWithoutKey(String path) {
        return application.post(path, "{}");
    }

    static HttpResponse<String> get(String path) {
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
