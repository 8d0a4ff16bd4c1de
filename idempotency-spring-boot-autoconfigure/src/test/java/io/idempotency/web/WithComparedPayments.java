package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StreamUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/** Payments whose repetitions are compared with their first requests, in all ways that there are. */
abstract class WithComparedPayments {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Payments.class, ReadingFilter.class)
            .with("idempotency.web.max-request-size=1KB", "spring.mvc.formcontent.filter.enabled=false");

    final String key = UUID.randomUUID().toString();

    HttpResponse<String> post(String path, String body) {
        return application.send(json(path, body));
    }

    HttpRequest.Builder json(String path, String body) {
        return application.json(path, body, "Idempotency-Key", key);
    }

    HttpResponse<String> form(String method, String path, String body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, BodyPublishers.ofString(body)));
    }

    HttpResponse<String> post(String path, String contentType, byte[] body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    HttpResponse<String> chunked(String path, String body) {
        return chunked(path, "text/plain;charset=UTF-8", body);
    }

    HttpResponse<String> chunked(String path, String contentType, String body) {
        return application.send(application
                .request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))));
    }

    HttpResponse<String> multipart(String boundary, String fileName, String content) {
        String body = String.join(
                "\r\n",
                "--" + boundary,
                "Content-Disposition: form-data; name=\"file\"; filename=\"" + fileName + '"',
                "Content-Type: text/plain",
                "",
                content,
                "--" + boundary + "--",
                "");
        return application.send(application
                .request("/multipart")
                .header("Idempotency-Key", key)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofString(body)));
    }

    record Payment(int amount, String note) {}

    @RestController
    static class Payments {

        @PostMapping("/json")
        @Idempotent
        String json(@RequestBody String body) {
            return body;
        }

        @PostMapping("/text")
        @Idempotent
        String text(@RequestBody String body) {
            return body;
        }

        @PostMapping("/raw")
        @Idempotent(fingerprint = "RAW")
        String raw(@RequestBody String body) {
            return body;
        }

        @PostMapping("/retried/{id}")
        @Idempotent(ignoredFields = "sentAt")
        String retried(@PathVariable int id, @RequestBody String body) {
            return body;
        }

        @PostMapping("/none")
        @Idempotent(fingerprint = "NONE")
        String none(@RequestBody String body) {
            return body;
        }

        @PostMapping("/expression")
        @Idempotent(fingerprint = "#payment.amount")
        int expression(@RequestBody Payment payment) {
            return payment.amount();
        }

        @RequestMapping(
                path = "/orders/{id}/pay",
                method = {RequestMethod.POST, RequestMethod.PUT})
        @Idempotent
        String pay(@PathVariable int id) {
            return "paid " + id;
        }

        @PostMapping("/form")
        @Idempotent
        String form(@RequestParam String amount) {
            return amount;
        }

        @RequestMapping(
                path = "/form-as-body",
                method = {RequestMethod.POST, RequestMethod.PUT})
        @Idempotent
        String formAsBody(@RequestBody MultiValueMap<String, String> form) {
            return String.valueOf(form.getFirst("amount"));
        }

        @PostMapping("/form-as-text")
        @Idempotent
        String formAsText(@RequestBody String form) {
            return form;
        }

        @PostMapping("/multipart")
        @Idempotent
        String multipart(@RequestParam MultipartFile file) throws IOException {
            return file.getOriginalFilename() + ":" + new String(file.getBytes(), StandardCharsets.UTF_8);
        }

        @PostMapping("/read-by-filter")
        @Idempotent
        String readByFilter(@RequestBody String body) {
            return body;
        }

        @PostMapping("/read-by-handler")
        @Idempotent
        String readByHandler(HttpServletRequest request) throws IOException {
            return StreamUtils.copyToString(request.getInputStream(), StandardCharsets.UTF_8);
        }

        @PostMapping("/read-by-reader")
        @Idempotent
        String readByReader(HttpServletRequest request) throws IOException {
            return request.getReader().readLine();
        }
    }

    /** Reads bodies before the handler is known, as the check of a signature does. */
    @Configuration(proxyBeanMethods = false)
    static class ReadingFilter {

        @Bean
        FilterRegistrationBean<Filter> readingFilter() {
            FilterRegistrationBean<Filter> registration =
                    new FilterRegistrationBean<>((request, response, chain) -> chain.doFilter(read(request), response));
            registration.addUrlPatterns("/read-by-filter");
            return registration;
        }

        private static ServletRequest read(ServletRequest request) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            return new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public ServletInputStream getInputStream() {
                    return new DelegatingServletInputStream(new ByteArrayInputStream(body));
                }
            };
        }
    }
}
