package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** What handlers do with their response, most of it around forwards and includes; each container answers it in its own way. */
class ForwardedResponseTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Pages.class);

    private static final AtomicInteger captured = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "forward",
                "forward-by-context",
                "forward-of-forward",
                "forward-then-write",
                "forward-of-nothing-then-write",
                "include-of-forward",
                "include-that-closes",
                "writer-around-stream",
                "stream-around-writer",
                "writer-then-failure",
                "stream-then-failure",
                "close-then-write",
                "length-that-is-no-number"
            })
    void theResponseIsThatOfTheHandlerWithoutTheAnnotation(String way) {
        HttpResponse<String> unprotected = post("/unprotected/" + way);
        HttpResponse<String> first = post("/protected/" + way);
        HttpResponse<String> again = post("/protected/" + way);

        assertThat(first.statusCode()).isEqualTo(unprotected.statusCode());
        assertThat(again.statusCode()).isEqualTo(unprotected.statusCode());
        if (unprotected.statusCode() < 500) {
            assertThat(first.body()).isEqualTo(unprotected.body());
            assertThat(again.body()).isEqualTo(unprotected.body());
            assertThat(again.headers().firstValue(IdempotencyFilter.REPLAY_MARKER))
                    .contains("true");
        }
    }

    @Test
    void aHandlerMayTakeTheResponseOfWhatItForwardsTo() {
        assertThat(post("/protected/forward-wrapped").body()).isEqualTo("plain of 5 bytes");
    }

    /** Tomcat closes the response after a forward, so only the handler can tell. */
    @Test
    void soMayAHandlerOfASafeRequest() {
        application.send(application.request("/safe").GET());

        assertThat(captured).hasValue("plain".length());
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    private static void answer(HttpServletRequest request, HttpServletResponse response, String way) throws Exception {
        switch (way) {
            case "length-that-is-no-number" -> {
                response.setHeader("Content-Length", "many");
                response.getOutputStream().print("plain");
            }
            case "forward" -> dispatcher(request, "/plain").forward(request, response);
            case "forward-by-context" ->
                Objects.requireNonNull(request.getServletContext().getRequestDispatcher("/plain"))
                        .forward(request, response);
            case "forward-of-forward" -> dispatcher(request, "/forwarding").forward(request, response);
            case "forward-then-write" -> {
                dispatcher(request, "/plain").forward(request, response);
                response.getOutputStream().print(" and more");
            }
            case "forward-of-nothing-then-write" -> {
                dispatcher(request, "/nothing").forward(request, response);
                response.getOutputStream().print("more");
            }
            case "forward-wrapped" -> {
                ContentCachingResponseWrapper wrapper = new ContentCachingResponseWrapper(response);
                dispatcher(request, "/plain").forward(request, wrapper);
                int size = wrapper.getContentSize();
                wrapper.resetBuffer();
                response.resetBuffer();
                response.getOutputStream().print("plain of " + size + " bytes");
            }
            case "include-of-forward" -> {
                response.getOutputStream().print("[");
                dispatcher(request, "/forwarding").include(request, response);
                response.getOutputStream().print("]");
            }
            case "include-that-closes" -> {
                dispatcher(request, "/closing").include(request, response);
                response.getOutputStream().print(" and more");
            }
            case "writer-around-stream" -> {
                PrintWriter writer = response.getWriter();
                writer.print("[");
                dispatcher(request, "/plain").include(request, response);
                writer.print("]");
            }
            case "stream-around-writer" -> {
                ServletOutputStream stream = response.getOutputStream();
                stream.print("[");
                dispatcher(request, "/written").include(request, response);
                stream.print("]");
            }
            case "writer-then-failure" -> {
                response.getWriter().print("lost");
                throw new UnsupportedOperationException();
            }
            case "stream-then-failure" -> {
                response.getOutputStream().print("lost");
                throw new UnsupportedOperationException();
            }
            case "close-then-write" -> {
                response.getWriter().print("all");
                response.getWriter().close();
                response.getWriter().print(" and more");
            }
            default -> throw new IllegalArgumentException(way);
        }
    }

    private static RequestDispatcher dispatcher(HttpServletRequest request, String path) {
        return Objects.requireNonNull(request.getRequestDispatcher(path));
    }

    @Controller
    static class Pages {

        @PostMapping("/unprotected/{way}")
        void unprotected(HttpServletRequest request, HttpServletResponse response, @PathVariable String way)
                throws Exception {
            answer(request, response, way);
        }

        @PostMapping("/protected/{way}")
        @Idempotent
        void protecting(HttpServletRequest request, HttpServletResponse response, @PathVariable String way)
                throws Exception {
            answer(request, response, way);
        }

        @ExceptionHandler
        ResponseEntity<String> failed(UnsupportedOperationException failure) {
            return ResponseEntity.badRequest().body("failed");
        }

        @RequestMapping("/safe")
        @Idempotent
        void safe(HttpServletRequest request, HttpServletResponse response) throws Exception {
            ContentCachingResponseWrapper wrapper = new ContentCachingResponseWrapper(response);
            dispatcher(request, "/plain").forward(request, wrapper);
            captured.set(wrapper.getContentSize());
        }

        @RequestMapping("/plain")
        @ResponseBody
        String plain() {
            return "plain";
        }

        @PostMapping("/forwarding")
        String forwarding() {
            return "forward:/plain";
        }

        @PostMapping("/nothing")
        @ResponseBody
        @ResponseStatus(HttpStatus.ACCEPTED)
        void nothing() {}

        @PostMapping("/written")
        void written(HttpServletResponse response) throws Exception {
            response.getWriter().print("written");
        }

        @PostMapping("/closing")
        void closing(HttpServletResponse response) throws Exception {
            response.getOutputStream().print("all");
            response.getOutputStream().close();
        }
    }
}
