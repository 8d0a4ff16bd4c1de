package io.idempotency.web;

import static io.idempotency.web.WebApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.ContentCachingResponseWrapper;
import org.springframework.web.util.WebUtils;

/** Filters that start asynchronous processing by themselves, and those that are asked for its dispatches. */
class AsyncFilterTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, Filters.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private static final List<String> obstacles = new CopyOnWriteArrayList<>();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @ParameterizedTest
    @CsvSource({
        "around, order %d and more",
        "around-wrapped, order %d and more",
        "after, order %d and more",
        "dispatching, more and order %d",
        "dispatching-wrapped, more and order %d",
        "completed-before, order %d and more",
        "outside, order %d"
    })
    void whatAFilterCompletesIsRecorded(String way, String expected) {
        String body = expected.formatted(before + 1);

        assertThat(post("/orders/1", way, "{}").body()).isEqualTo(body);

        HttpResponse<String> second = post("/orders/1", way, "{}");
        assertThat(second.body()).isEqualTo(body);
        assertThat(isReplay(second)).isTrue();
        assertThat(post("/orders/1", way, "[]").statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "around, search and more",
        "around-wrapped, search and more",
        "after, search and more",
        "dispatching, more and search",
        "dispatching-wrapped, more and search",
        "completed-before, search and more",
        "outside, search"
    })
    void whatIsNotProtectedAfterAllIsHandedThrough(String way, String expected) {
        assertThat(post("/orders/search", way, "{}").body()).isEqualTo(expected);
        assertThat(post("/orders/search", way, "[]").body()).isEqualTo(expected);
    }

    @Test
    void nothingIsAPartOfWhatHasEnded() {
        assertThat(post("/orders/1", "outside-and-again", "{}").body()).isEqualTo("order " + (before + 1));

        // The client may have its response before the filter goes on.
        await().atMost(Duration.ofMinutes(1)).until(() -> !obstacles.isEmpty());
        assertThat(obstacles).singleElement().asString().contains("has ended, so that there is no claim");
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void whatAFilterAnswersByItselfIsSent() {
        assertThat(post("/orders/1", "alone", "{}").body()).isEqualTo(" and more");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders/1", "/later"})
    void aFilterMayWrapRequestAndResponseInEachDispatch(String path) {
        HttpResponse<String> first = post(path, "caching", "{}");
        HttpResponse<String> second = post(path, "caching", "{}");

        assertThat(first.body()).isEqualTo("order " + (before + 1));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(post(path, "caching", "[]").statusCode()).isEqualTo(422);
    }

    @Test
    void whatAListenerAnswersAfterATimeoutIsSentAndLeavesADoubt() {
        HttpResponse<String> first = post("/too-late", "none", "{}");

        assertThat(first.statusCode()).isEqualTo(503);
        assertThat(first.body()).isEqualTo("too late");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> post("/too-late", "none", "{}").body().contains("in-doubt"));
    }

    private HttpResponse<String> post(String path, String way, String body) {
        return application.post(path, body, "Idempotency-Key", key, "Way", way);
    }

    @RestController
    static class Orders {

        @PostMapping("/orders/{id}")
        @Idempotent
        String order(@RequestBody String body) {
            return "order " + executions.incrementAndGet();
        }

        @PostMapping("/orders/search")
        void search(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("search");
        }

        @PostMapping("/later")
        @Idempotent
        Callable<String> later(@RequestBody String body) {
            return () -> "order " + executions.incrementAndGet();
        }

        @PostMapping("/too-late")
        @Idempotent
        void tooLate(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext started = request.startAsync();
            started.setTimeout(200);
            started.addListener(new TimeoutListener() {
                @Override
                public void onTimeout(AsyncEvent event) throws IOException {
                    response.setStatus(503);
                    response.getWriter().print("too late");
                    event.getAsyncContext().complete();
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Filters {

        @Bean
        FilterRegistrationBean<Filter> outer() {
            FilterRegistrationBean<Filter> registration = registration(Filters::outside);
            registration.setOrder(IdempotencyFilter.DEFAULT_ORDER - 1);
            return registration;
        }

        @Bean
        FilterRegistrationBean<Filter> inner() {
            return registration(Filters::inside);
        }

        private static FilterRegistrationBean<Filter> registration(Filter filter) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return registration;
        }

        private static String way(ServletRequest request) {
            return String.valueOf(((HttpServletRequest) request).getHeader("Way"));
        }

        private static void outside(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String way = way(request);
            if (!way.startsWith("outside")) {
                chain.doFilter(request, response);
            } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
                try {
                    chain.doFilter(request, response);
                } catch (ServletException | IllegalStateException refused) {
                    obstacles.add(String.valueOf(refused.getMessage()));
                }
            } else {
                AsyncContext started = request.startAsync();
                chain.doFilter(request, response);
                if (way.equals("outside")) {
                    started.complete();
                } else {
                    started.dispatch();
                }
            }
        }

        private static void inside(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String way = way(request);
            boolean first = request.getDispatcherType() == DispatcherType.REQUEST;
            if (way.equals("caching")) {
                cache((HttpServletRequest) request, (HttpServletResponse) response, chain);
            } else if (way.startsWith("around")) {
                AsyncContext started = start(request, response, way);
                chain.doFilter(request, response);
                addAndComplete(started);
            } else if (way.equals("completed-before")) {
                request.startAsync().complete();
                chain.doFilter(request, response);
                response.getOutputStream().print(" and more");
            } else if (way.equals("after")) {
                chain.doFilter(request, response);
                addAndComplete(request.startAsync());
            } else if (way.equals("alone")) {
                addAndComplete(request.startAsync());
            } else if (way.startsWith("dispatching") && first) {
                AsyncContext started = start(request, response, way);
                started.start(() -> {
                    add(started, "more and ");
                    started.dispatch();
                });
            } else {
                chain.doFilter(request, response);
            }
        }

        private static AsyncContext start(ServletRequest request, ServletResponse response, String way) {
            return way.endsWith("wrapped") ? request.startAsync(request, response) : request.startAsync();
        }

        private static void addAndComplete(AsyncContext started) {
            started.start(() -> {
                add(started, " and more");
                started.complete();
            });
        }

        private static void add(AsyncContext started, String text) {
            try {
                started.getResponse().getOutputStream().print(text);
            } catch (IOException unexpected) {
                throw new UncheckedIOException(unexpected);
            }
        }

        private static void cache(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ContentCachingResponseWrapper known =
                    WebUtils.getNativeResponse(response, ContentCachingResponseWrapper.class);
            ContentCachingResponseWrapper caching = known == null ? new ContentCachingResponseWrapper(response) : known;
            chain.doFilter(new ContentCachingRequestWrapper(request, 1000), caching);
            if (!request.isAsyncStarted()) {
                caching.copyBodyToResponse();
            }
        }
    }

    private abstract static class TimeoutListener implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            // Nothing is left to do.
        }

        @Override
        public void onError(AsyncEvent event) {
            // It tells nothing that matters here.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // Nobody starts again.
        }
    }
}
