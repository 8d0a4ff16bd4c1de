package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/** Handlers that write their responses themselves, in all ways that there are. */
@Controller
class HeldDocuments {

    /** Of the responses that are held, as the tests set it. */
    static final int LIMIT = 4096;

    static final AtomicInteger executions = new AtomicInteger();

    @PostMapping("/large")
    @Idempotent
    void large(HttpServletResponse response) throws IOException {
        executions.incrementAndGet();
        response.setContentLength(3 * LIMIT + 1);
        for (int part = 0; part < 3; part++) {
            response.getOutputStream().print("x".repeat(LIMIT));
        }
        response.getOutputStream().print("y");
    }

    @PostMapping("/large-failure")
    @Idempotent
    void largeFailure(HttpServletResponse response) throws IOException {
        response.setStatus(500);
        response.getOutputStream().print("x".repeat(LIMIT + 1));
    }

    @PostMapping("/exact")
    @Idempotent
    @ResponseBody
    String exact() {
        return "x".repeat(LIMIT);
    }

    @PostMapping("/forwarding")
    @Idempotent
    String forwarding() {
        return "forward:/target";
    }

    @PostMapping("/target")
    @ResponseBody
    String target() {
        return "forwarded";
    }

    @PostMapping("/including")
    @Idempotent
    void including(HttpServletRequest request, HttpServletResponse response) throws Exception {
        PrintWriter writer = response.getWriter();
        writer.print("before ");
        request.getRequestDispatcher("/included").include(request, response);
        writer.print(" after");
    }

    @PostMapping("/included")
    void included(HttpServletResponse response) throws IOException {
        response.getWriter().print("forwarded");
    }

    @PostMapping("/reset")
    @Idempotent
    void reset(HttpServletResponse response) throws IOException {
        response.setStatus(201);
        response.getWriter().print("first");
        response.getWriter().flush();
        response.reset();
        response.setStatus(202);
        response.getOutputStream().print("second");
    }

    @PostMapping("/latin")
    @Idempotent
    void latin(HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.setCharacterEncoding("ISO-8859-1");
        response.getWriter().print("grüße");
    }

    @PostMapping("/no-encoding")
    @Idempotent
    void noEncoding(HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getWriter().print("grüße");
    }

    @PostMapping("/encoding-too-late")
    @Idempotent
    void encodingTooLate(HttpServletResponse response) throws IOException {
        response.setCharacterEncoding("ISO-8859-1");
        PrintWriter writer = response.getWriter();
        response.setCharacterEncoding("UTF-8");
        response.setContentType("text/html;charset=UTF-8");
        writer.print("grüße");
    }

    @PostMapping("/own-async")
    @Idempotent
    void ownAsync(HttpServletRequest request, HttpServletResponse response) {
        complete(request.startAsync(), response);
    }

    @PostMapping("/own-async-through-context")
    @Idempotent
    void ownAsyncThroughContext(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync();
        complete(request.getAsyncContext(), request.getAsyncContext().getResponse());
    }

    @PostMapping("/never-completed")
    @Idempotent
    void neverCompleted(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().setTimeout(200);
    }

    private static void complete(AsyncContext async, ServletResponse response) {
        async.start(() -> {
            try {
                response.getWriter().print("written");
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            } finally {
                async.complete();
            }
        });
    }
}
