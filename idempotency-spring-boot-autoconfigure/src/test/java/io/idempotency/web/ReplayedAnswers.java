package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;

/** Handlers that answer in all ways that there are, and how often some of them ran. */
@RestController
class ReplayedAnswers {

    /** Of a container, which then has committed the response. */
    static final int LARGER_THAN_A_BUFFER = 100_000;

    static final AtomicInteger executions = new AtomicInteger();

    @PostMapping("/created")
    @Idempotent
    ResponseEntity<Map<String, Object>> created() {
        return ResponseEntity.created(URI.create("/orders/" + executions.incrementAndGet()))
                .header("Link", "</1>; rel=\"a\"", "</2>; rel=\"b\"")
                .eTag("\"v1\"")
                .body(Map.of("name", "größer"));
    }

    @PostMapping("/headers")
    @Idempotent
    String headers(HttpServletResponse response) {
        response.addCookie(new Cookie("session", "secret"));
        response.addHeader("X-Trace-Id", "1");
        response.addHeader("X-RateLimit-Remaining", "9");
        response.addHeader("Cache-Control", "max-age=60");
        return "done";
    }

    @PostMapping("/cors")
    @CrossOrigin(origins = {"https://one.example", "https://two.example"})
    @Idempotent
    String cors() {
        return "done";
    }

    @PostMapping("/no-content")
    @Idempotent
    ResponseEntity<Void> noContent() {
        return ResponseEntity.noContent().build();
    }

    @PostMapping("/see-other")
    @Idempotent
    ResponseEntity<Void> seeOther() {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .header(HttpHeaders.LOCATION, "/orders/1")
                .build();
    }

    @PostMapping("/redirect")
    @Idempotent
    void redirect(HttpServletResponse response) throws IOException {
        response.sendRedirect("/elsewhere");
    }

    @PostMapping("/redirect-with-body")
    @Idempotent
    void redirectWithBody(HttpServletResponse response) throws IOException {
        response.getOutputStream().write(new byte[LARGER_THAN_A_BUFFER]);
        response.sendRedirect("/elsewhere", HttpServletResponse.SC_SEE_OTHER, false);
    }

    @PostMapping("/written")
    @Idempotent
    void written(HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.setCharacterEncoding("UTF-8");
        response.getWriter().print("grüße");
        response.flushBuffer();
    }

    @PostMapping(path = "/money", produces = "application/json")
    @Idempotent
    String money(@RequestBody String body) {
        return "{\"amount\":10.00}";
    }

    @PostMapping("/conflict")
    @Idempotent
    ResponseEntity<String> conflict() {
        return ResponseEntity.status(HttpStatus.CONFLICT).body("exists");
    }

    @PostMapping("/handled")
    @Idempotent
    String handled() {
        throw new SoldOutException();
    }

    @PostMapping("/redirect-view")
    @Idempotent
    ModelAndView redirectView() {
        return new ModelAndView("redirect:/elsewhere", "id", 1);
    }

    @PostMapping("/view")
    @Idempotent
    ModelAndView view() {
        return new ModelAndView(
                (model, request, response) -> {
                    response.setContentType("text/plain");
                    response.getWriter().print("a view of " + Map.copyOf(model).get("id"));
                },
                Map.of("id", 1));
    }

    @PostMapping("/accepted")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Idempotent
    String accepted() {
        return "accepted";
    }

    @PostMapping("/refused")
    @ResponseStatus(code = HttpStatus.GONE, reason = "sold out")
    @Idempotent
    String refused() {
        executions.incrementAndGet();
        return "ignored";
    }

    @PostMapping("/empty")
    @Idempotent
    void empty() {}

    @PostMapping("/missing")
    @Idempotent
    String missing() {
        executions.incrementAndGet();
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no such order");
    }

    @ExceptionHandler
    ResponseEntity<String> soldOut(SoldOutException exception) {
        return ResponseEntity.status(HttpStatus.GONE).body("sold out");
    }

    private static final class SoldOutException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
