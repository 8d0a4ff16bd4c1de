package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Filters behind ours that take the stream or the writer of the response, before or after the handler is known. */
class EagerFilterTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Orders.class, Wrapping.class);

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @CsvSource({
        "stream, größer 1",
        "writer, größer 1",
        "first-by-stream, first größer 1",
        "first-by-writer, first größer 1"
    })
    void whatIsWrittenByTheStreamOfAFilterIsReplayed(String way, String expected) {
        HttpResponse<String> first = post("/orders/1", way);
        HttpResponse<String> second = post("/orders/1", way);

        assertThat(first.body()).isEqualTo(expected);
        assertThat(second.body()).isEqualTo(expected);
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(second.headers().firstValue("Added-Afterwards")).contains("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eager-gzip", "lazy-gzip"})
    void aCompressedResponseIsReplayed(String way) throws IOException {
        HttpResponse<byte[]> first = postForBytes(way);
        HttpResponse<byte[]> second = postForBytes(way);

        assertThat(unzipped(first.body())).isEqualTo("größer 1");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void nothingRunsWhereAFilterHasSentBytesBefore() {
        int before = executions.get();

        // The container breaks off what it has begun to send.
        catchThrowable(() -> post("/orders/2", "sent"));

        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource({
        "stream, größer",
        "writer, größer",
        "first-by-stream, first größer",
        "first-by-writer, first größer",
        "answer-by-stream, 'first '",
        "answer-by-writer, 'first '"
    })
    void whatIsNotProtectedAfterAllIsHandedThrough(String way, String expected) {
        assertThat(post("/orders/search", way).body()).isEqualTo(expected);
    }

    private HttpResponse<String> post(String path, String way) {
        return application.post(path, "{}", "Idempotency-Key", key, "Way", way);
    }

    private HttpResponse<byte[]> postForBytes(String way) {
        return application.send(
                application.json("/orders/1", "{}", "Idempotency-Key", key, "Way", way), BodyHandlers.ofByteArray());
    }

    private static String unzipped(byte[] body) throws IOException {
        return new String(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @RestController
    static class Orders {

        @PostMapping(path = "/orders/{id}", produces = "text/plain;charset=UTF-8")
        @Idempotent
        String order(@PathVariable String id) {
            executions.incrementAndGet();
            return "größer " + id;
        }

        @PostMapping(path = "/orders/search", produces = "text/plain;charset=UTF-8")
        String search() {
            return "größer";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Wrapping {

        @Bean
        Filter wrapping() {
            return (request, response, chain) -> {
                String way = String.valueOf(((HttpServletRequest) request).getHeader("Way"));
                response.setCharacterEncoding("UTF-8");
                Body body = new Body(way, response);
                if (way.startsWith("first") || way.startsWith("answer") || way.equals("sent")) {
                    body.write("first ".getBytes(StandardCharsets.UTF_8));
                }
                if (way.equals("sent")) {
                    response.flushBuffer();
                }
                if (!way.startsWith("answer")) {
                    chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                        @Override
                        public ServletOutputStream getOutputStream() {
                            return body;
                        }

                        @Override
                        public void setContentLengthLong(long length) {
                            // It is another one.
                        }

                        @Override
                        public void setHeader(String name, String value) {
                            if (!name.equalsIgnoreCase("Content-Length")) {
                                super.setHeader(name, value);
                            }
                        }
                    });
                }
                body.finish();
                ((HttpServletResponse) response).setHeader("Added-Afterwards", "true");
            };
        }
    }

    /** The body as a filter lets others write it, by the stream or the writer that it has taken itself. */
    private static final class Body extends ServletOutputStream {

        private final ServletResponse response;

        private @Nullable OutputStream stream;

        private @Nullable PrintWriter writer;

        Body(String way, ServletResponse response) throws IOException {
            this.response = response;
            if (way.endsWith("writer")) {
                writer = response.getWriter();
            } else if (way.equals("eager-gzip")) {
                stream = new GZIPOutputStream(response.getOutputStream());
            } else if (!way.equals("lazy-gzip")) {
                stream = response.getOutputStream();
            }
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            if (writer != null) {
                writer.write(new String(bytes, offset, count, StandardCharsets.UTF_8));
                return;
            }
            if (stream == null) {
                stream = new GZIPOutputStream(response.getOutputStream());
            }
            stream.write(bytes, offset, count);
        }

        void finish() throws IOException {
            if (stream instanceof GZIPOutputStream zipped) {
                zipped.finish();
            }
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("Nobody writes without blocking here");
        }
    }
}
