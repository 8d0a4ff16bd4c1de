package io.idempotency.faults;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a store that do at random what holders, duplicates, stale holders and operators do, all at once and to few
 * identities, and write down what they see. The seed decides what they ask, but not how their requests meet.
 */
final class HistoryClients {

    private static final int CLIENTS = 8;

    private static final int IDENTITIES = 4;

    private static final int REQUESTS = 50;

    private static final Duration LIFETIME = Duration.ofHours(1);

    private final IdempotencyStore store;

    private final long seed;

    private final List<Known> identities;

    private final Queue<HistoryEvent> events = new ConcurrentLinkedQueue<>();

    private HistoryClients(IdempotencyStore store, long seed) {
        this.store = store;
        this.seed = seed;
        this.identities = IntStream.range(0, IDENTITIES)
                .mapToObj(index -> new Known(Identity.of("history", "operation", null, seed + "/" + index)))
                .toList();
    }

    /** What all clients know about one identity. */
    private static final class Known {

        private final Identity identity;

        /** All that were sent. */
        private final List<ClaimRequest> claims = new CopyOnWriteArrayList<>();

        private final List<ClaimRequest> granted = new CopyOnWriteArrayList<>();

        private final Set<OwnerToken> answered = new HashSet<>();

        private final Set<OwnerToken> ended = new HashSet<>();

        /** Whose claims are under way once more. */
        private final Set<OwnerToken> again = new HashSet<>();

        /** Who is recording or forgetting a step. */
        private final Set<OwnerToken> stepping = new HashSet<>();

        /** The newest attempt that was in doubt. */
        private volatile long doubt = 1;

        /** Whether the newest answer to a claim told of a doubt. */
        private volatile boolean inDoubt;

        /** The newest step whose beginning was recorded. */
        private volatile StepIdentity running = StepIdentity.of("charge", null);

        /** Who has recorded it. */
        private volatile @Nullable OwnerToken runner;

        Known(Identity identity) {
            this.identity = identity;
        }

        /** Returns one of the newest claims, mostly of those that were granted. */
        ClaimRequest earlier(Random random) {
            List<ClaimRequest> known = granted.isEmpty() || random.nextInt(5) == 0 ? claims : granted;
            int newest = known.size();
            return known.get(newest - 1 - random.nextInt(Math.min(newest, 3)));
        }

        /**
         * Says whether an owner may send his claim again. Nobody does so who has ended it, or ends it meanwhile: then the
         * two statements of a database that write an end and look for it would see two attempts of one owner.
         */
        synchronized boolean beginsAgain(OwnerToken owner) {
            return answered.contains(owner) && !ended.contains(owner) && !stepping.contains(owner) && again.add(owner);
        }

        /** Says whether an owner may end his attempt, and ends it. */
        synchronized boolean ends(OwnerToken owner) {
            boolean free = !again.contains(owner);
            if (free) {
                ended.add(owner);
            }
            return free;
        }

        /**
         * Says whether an owner may record or forget a step. That needs the answer to the claim, which brings the steps after
         * it has taken the record; and nobody tells of one step twice at the same time.
         */
        synchronized boolean beginsStep(OwnerToken owner) {
            return answered.contains(owner) && !again.contains(owner) && stepping.add(owner);
        }

        synchronized void hasStepped(OwnerToken owner) {
            stepping.remove(owner);
        }

        synchronized void isAnswered(OwnerToken owner) {
            answered.add(owner);
            again.remove(owner);
        }
    }

    /** Runs the clients to their end and returns what they saw of each identity. */
    static Map<Identity, List<HistoryEvent>> run(IdempotencyStore store, long seed) {
        return new HistoryClients(store, seed).run();
    }

    private Map<Identity, List<HistoryEvent>> run() {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        AtomicInteger waiting = new AtomicInteger(CLIENTS);
        try {
            List<Future<?>> clients = IntStream.range(0, CLIENTS)
                    .<Future<?>>mapToObj(index ->
                            threads.submit(() -> client(waiting, new Random(seed * CLIENTS + index))))
                    .toList();
            for (Future<?> client : clients) {
                client.get(2, TimeUnit.MINUTES);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("A client failed", failure);
        } finally {
            threads.shutdownNow();
        }
        Map<Identity, List<HistoryEvent>> byIdentity = events.stream()
                .collect(Collectors.groupingBy(event -> event.request().identity()));
        byIdentity.replaceAll((identity, seen) ->
                seen.stream().map(event -> event.among(seen)).toList());
        return byIdentity;
    }

    private @Nullable Void client(AtomicInteger waiting, Random random) {
        // Not parked: waking up takes far longer than a claim, and the first would be done by then.
        waiting.decrementAndGet();
        while (waiting.get() > 0 && !Thread.currentThread().isInterrupted()) {
            Thread.yield();
        }
        for (Known known : identities) {
            // All at once to one that nobody has claimed yet.
            send(newClaim(known, random), known);
        }
        for (int sent = 0; sent < REQUESTS; sent++) {
            Known known = identities.get(random.nextInt(IDENTITIES));
            send(request(known, random), known);
            if (random.nextInt(5) == 0) {
                // Leases end in the meantime.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(40)));
            }
        }
        return null;
    }

    private HistoryRequest request(Known known, Random random) {
        if (known.inDoubt && random.nextInt(3) == 0) {
            return resolution(known, milliseconds(random, 20, 300), random);
        }
        int choice = random.nextInt(100);
        if (choice < 36) {
            return newClaim(known, random);
        }
        ClaimRequest earlier = known.earlier(random);
        if (choice < 42) {
            return known.beginsAgain(earlier.owner()) ? new HistoryRequest.ToClaim(earlier) : find(known);
        }
        Duration lease = milliseconds(random, 20, 200);
        Claim claim = new Claim(known.identity, earlier.owner(), 0, lease);
        if (choice < 50) {
            return new HistoryRequest.ToRenew(claim);
        }
        if (choice < 65) {
            return known.beginsStep(earlier.owner()) ? aboutStep(claim, random) : find(known);
        }
        Duration retention = milliseconds(random, 20, 300);
        if (choice < 86) {
            boolean runs = earlier.owner().equals(known.runner);
            return known.ends(earlier.owner()) ? end(claim, retention, runs, random) : find(known);
        }
        return choice < 96 ? resolution(known, retention, random) : find(known);
    }

    private static HistoryRequest find(Known known) {
        return new HistoryRequest.ToFind(known.identity);
    }

    private static HistoryRequest aboutStep(Claim claim, Random random) {
        StepIdentity step = step(random);
        StepRecord running = new StepRecord(step, StepState.RUNNING, Fingerprint.none(), 1, null);
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> new HistoryRequest.ToRecordStep(claim, running);
            case 3, 4 -> new HistoryRequest.ToRecordStep(claim, running.done(outcome(random)));
            default -> new HistoryRequest.ToForgetStep(claim, step);
        };
    }

    /** @param runs whether a step is running, which an operator may be asked about: few others would be held */
    private static HistoryRequest end(Claim claim, Duration retention, boolean runs, Random random) {
        int choice = runs ? 13 + random.nextInt(7) : random.nextInt(20);
        if (choice < 8) {
            return new HistoryRequest.ToComplete(claim, outcome(random), retention);
        }
        return choice < 17 ? new HistoryRequest.ToRelease(claim, retention) : new HistoryRequest.ToHold(claim);
    }

    private static HistoryRequest resolution(Known known, Duration retention, Random random) {
        long attempt = random.nextInt(4) == 0 ? known.doubt - 1 : known.doubt;
        return switch (random.nextInt(4)) {
            case 0 -> new HistoryRequest.ToResolve(known.identity, attempt, new Resolution.Retry(retention));
            case 1 ->
                new HistoryRequest.ToResolve(
                        known.identity, attempt, new Resolution.Complete(outcome(random), retention));
            default -> new HistoryRequest.ToResolveStep(known.identity, attempt, known.running, outcome(random));
        };
    }

    private static StepIdentity step(Random random) {
        return StepIdentity.of(random.nextBoolean() ? "charge" : "ship", null);
    }

    private static HistoryRequest newClaim(Known known, Random random) {
        ClaimRequest request = new ClaimRequest(
                known.identity,
                Fingerprint.of(random.nextInt(4) == 0 ? "something else" : "the same"),
                OwnerToken.random(),
                milliseconds(random, 20, 200),
                LIFETIME,
                random.nextInt(4) == 0 ? OnAbandoned.HOLD : OnAbandoned.RETRY);
        known.claims.add(request);
        return new HistoryRequest.ToClaim(request);
    }

    private static Duration milliseconds(Random random, int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from));
    }

    private static Outcome outcome(Random random) {
        byte[] text = Integer.toString(random.nextInt(1_000_000)).getBytes(StandardCharsets.UTF_8);
        return new Outcome(Outcome.Kind.VALUE, "text/1", text);
    }

    private void send(HistoryRequest request, Known known) {
        long sentAt = System.nanoTime();
        try {
            Object answer = request.send(store);
            Object seen = RecordModel.comparable(answer);
            events.add(new HistoryEvent(request, sentAt, System.nanoTime(), seen, false, false));
            if (answer instanceof ClaimOutcome.InDoubt inDoubt) {
                known.doubt = inDoubt.attempt();
            }
            if (request instanceof HistoryRequest.ToRecordStep recorded
                    && answer == Ownership.OWNED
                    && recorded.step().state() == StepState.RUNNING) {
                known.running = recorded.step().step();
                known.runner = recorded.claim().owner();
            }
            if (request instanceof HistoryRequest.ToClaim claim) {
                known.isAnswered(claim.request().owner());
                known.inDoubt = answer instanceof ClaimOutcome.InDoubt;
                if (answer instanceof ClaimOutcome.Granted) {
                    known.granted.add(claim.request());
                }
            }
        } catch (IdempotencyStoreException failure) {
            events.add(new HistoryEvent(request, sentAt, HistoryEvent.NEVER, null, false, false));
        } finally {
            request.stepper().ifPresent(known::hasStepped);
        }
    }
}
