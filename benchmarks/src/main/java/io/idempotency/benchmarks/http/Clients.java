package io.idempotency.benchmarks.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** The clients of one server, each of which sends its next request when it has its response. */
final class Clients implements AutoCloseable {

    /** Enough that a server with two cores always has something to do. */
    static final int COUNT = 4;

    private final List<Connection> connections = new ArrayList<>();

    private final ExecutorService threads;

    /**
     * @param threads at least as many as there are clients
     */
    Clients(int port, ExecutorService threads) throws IOException {
        this.threads = threads;
        for (int client = 0; client < COUNT; client++) {
            connections.add(new Connection(port));
        }
    }

    /** Sends requests and returns how long it took to answer them. */
    Duration answer(Candidate candidate, int requests) throws ExecutionException, InterruptedException {
        long start = System.nanoTime();
        List<Future<?>> ends = new ArrayList<>();
        for (Connection connection : connections) {
            ends.add(threads.submit(() -> {
                OrderRequest request = new OrderRequest(candidate);
                for (int sent = 0; sent < requests / COUNT; sent++) {
                    connection.exchange(request.next());
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
