package io.idempotency.benchmarks.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Four JVMs of the application that are started together and measured in turn. */
final class Fork implements AutoCloseable {

    private final ExecutorService threads = Executors.newFixedThreadPool(Clients.COUNT);

    private final Map<Candidate, ShopProcess> servers = new EnumMap<>(Candidate.class);

    private final Map<Candidate, Clients> clients = new EnumMap<>(Candidate.class);

    /** Starts the servers and waits until all of them accept connections. */
    static Fork start() throws IOException, InterruptedException {
        Fork fork = new Fork();
        try {
            fork.connect();
            return fork;
        } catch (IOException | InterruptedException failed) {
            fork.close();
            throw failed;
        }
    }

    private void connect() throws IOException, InterruptedException {
        servers.put(Candidate.WITHOUT_STARTER, ShopProcess.start(false));
        servers.put(Candidate.WITHOUT_STARTER_AGAIN, ShopProcess.start(false));
        servers.put(Candidate.UNPROTECTED, ShopProcess.start(true));
        ShopProcess protecting = ShopProcess.start(true);
        servers.put(Candidate.UNPROTECTED_BESIDE, protecting);
        servers.put(Candidate.PROTECTED, protecting);
        servers.put(Candidate.REPLAYED, protecting);
        for (Map.Entry<Candidate, ShopProcess> server : servers.entrySet()) {
            server.getValue().await();
            clients.put(server.getKey(), new Clients(server.getValue().port(), threads));
        }
    }

    Rounds run(Effort effort) throws ExecutionException, InterruptedException {
        List<Candidate> candidates = new ArrayList<>(List.of(Candidate.values()));
        for (Candidate candidate : candidates) {
            clients(candidate).answer(candidate, effort.warmUp());
        }
        Rounds rounds = new Rounds();
        for (int round = 0; round < effort.rounds(); round++) {
            // To and fro, so that none is always measured after the same other one, and a trend favours none.
            Collections.reverse(candidates);
            Map<Candidate, Measurement> measured = new EnumMap<>(Candidate.class);
            for (Candidate candidate : candidates) {
                measured.put(candidate, measure(candidate, effort.requests()));
            }
            rounds.add(measured);
        }
        return rounds;
    }

    private Measurement measure(Candidate candidate, int requests) throws ExecutionException, InterruptedException {
        ShopProcess server = servers.get(candidate);
        Duration before = server.processorTime();
        Duration duration = clients(candidate).answer(candidate, requests);
        return new Measurement(requests, duration, server.processorTime().minus(before));
    }

    private Clients clients(Candidate candidate) {
        return clients.get(candidate);
    }

    @Override
    public void close() throws IOException {
        for (Clients connected : clients.values()) {
            connected.close();
        }
        servers.values().forEach(ShopProcess::close);
        threads.shutdownNow();
    }
}
