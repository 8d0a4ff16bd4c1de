package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What exchanges keep in memory while they last: the largest bodies, many at once. */
class MemoryTests {

    private static final int PARALLEL = 200;

    private static final int MEGABYTE = 1024 * 1024;

    /** The request and the response once each, and what servers keep for each of their threads. */
    private static final long PER_EXCHANGE = 3L * MEGABYTE;

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Documents.class)
            .with(
                    "server.tomcat.threads.max=250",
                    "server.jetty.threads.max=250",
                    // What is measured is memory, on however busy a machine.
                    "idempotency.store-timeout=1m");

    private static final CountDownLatch entered = new CountDownLatch(PARALLEL);

    private static final CountDownLatch gate = new CountDownLatch(1);

    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void letGo() throws IOException {
        gate.countDown();
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void theLargestExchangesKeepTheirBodiesOnce() throws Exception {
        byte[] body = json();
        long before = usedMemory();

        for (int client = 0; client < PARALLEL; client++) {
            clients.add(send(body));
        }
        assertThat(entered.await(5, TimeUnit.MINUTES)).isTrue();
        long used = usedMemory() - before;
        gate.countDown();

        assertThat(used).isLessThan(PARALLEL * PER_EXCHANGE);
        for (Socket client : clients) {
            assertThat(firstLine(client)).startsWith("HTTP/1.1 200");
        }
    }

    private static byte[] json() {
        byte[] text = new byte[MEGABYTE];
        Arrays.fill(text, (byte) 'x');
        text[0] = '"';
        text[MEGABYTE - 1] = '"';
        return text;
    }

    private static Socket send(byte[] body) throws IOException {
        Socket client = new Socket("localhost", application.uri("/").getPort());
        client.getOutputStream()
                .write(("POST /held HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: "
                                + UUID.randomUUID() + "\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().write(body);
        return client;
    }

    private static String firstLine(Socket client) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }

    private static long usedMemory() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @RestController
    static class Documents {

        @PostMapping("/held")
        @Idempotent
        void hold(HttpServletResponse response) throws IOException, InterruptedException {
            byte[] part = new byte[MEGABYTE / 16];
            for (int written = 0; written < 16; written++) {
                response.getOutputStream().write(part);
            }
            entered.countDown();
            assertThat(gate.await(6, TimeUnit.MINUTES)).isTrue();
        }
    }
}
