package io.idempotency.core;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the claims of this JVM in batches while their work runs, and finds out which are lost.
 *
 * <p>One task serves all claims. It is scheduled for the moment at which the next claim is due and does not exist while
 * there is no claim. A claim is due after a third of its lease, so one failed renewal loses nothing.
 *
 * <p>A part of the store that is silent, such as a frozen node of a Cluster, keeps a whole batch waiting until its time
 * limit is over. So several batches are under way at the same time, and claims that got no answer the last time go in
 * batches of their own, after the others.
 */
final class LeaseRenewer implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(LeaseRenewer.class);

    /** A database that commits each statement of a batch by itself must be done with it well within its time limit. */
    private static final int BATCH_SIZE = 100;

    /** One less than the connections that a database has for its store by default: claims need some too. */
    private static final int MAX_BATCHES_AT_ONCE = 3;

    /** Keeps a lease of a few milliseconds, or a failing store, from spinning. */
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private final IdempotencyStore store;

    private final Listeners listeners;

    private final ScheduledExecutorService scheduler;

    private final ThreadPoolExecutor senders = new ThreadPoolExecutor(
            MAX_BATCHES_AT_ONCE,
            MAX_BATCHES_AT_ONCE,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DaemonThreads("idempotency-renewal-batch"));

    private final LongSupplier nanoClock;

    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

    /** Read without the lock by every claim, most of which find that it comes early enough for them. */
    private volatile @Nullable ScheduledRun scheduled;

    /** @param at when it begins, by the clock of this renewer */
    private record ScheduledRun(ScheduledFuture<?> future, long at) {

        boolean isLaterThan(long wanted) {
            return at - wanted > 0;
        }
    }

    /** @param scheduler with one thread; it is ended with this renewer */
    LeaseRenewer(
            IdempotencyStore store, Listeners listeners, ScheduledExecutorService scheduler, LongSupplier nanoClock) {
        this.store = store;
        this.listeners = listeners;
        this.scheduler = scheduler;
        this.nanoClock = nanoClock;
        senders.allowCoreThreadTimeOut(true);
    }

    void watch(Lease lease) {
        // Before it looks for a run: one that has begun by then forgets itself first and looks at the leases after.
        leases.add(lease);
        scheduleAtTheLatest(lease.nextRenewal());
    }

    /** Watches a claim that was not renewed for a time. If it is due by now it is renewed at once, since it may be over. */
    void watchAgain(Lease lease) {
        leases.add(lease);
        if (isDue(lease, nanoClock.getAsLong())) {
            renew(List.of(lease));
        }
        scheduleAtTheLatest(lease.nextRenewal());
    }

    /** Ends the renewal of a claim. A renewal that is under way may still arrive at the store, where the token decides. */
    void forget(Lease lease) {
        leases.remove(lease);
    }

    int watched() {
        return leases.size();
    }

    /** The store says that a claim is lost. */
    void lost(Lease lease) {
        if (lease.markLost()) {
            tellOfLoss(lease, "is lost to another attempt");
        }
    }

    private void tellOfLoss(Lease lease, String how) {
        logger.warn("The claim on operation {} {}", lease.claim().identity(), how);
        listeners.tell(listener -> listener.leaseLost(lease.claim()));
    }

    private void run() {
        synchronized (this) {
            scheduled = null;
        }
        try {
            renewDue();
        } catch (RuntimeException failure) {
            logger.error("Renewing claims failed unexpectedly", failure);
        } finally {
            scheduleNext();
        }
    }

    /** Renews every claim that is due now. */
    void renewDue() {
        long now = nanoClock.getAsLong();
        leases.stream()
                .filter(Lease::markPassed)
                .forEach(lease -> tellOfLoss(lease, "may be lost, since its lease has passed without a renewal"));
        leases.removeIf(lease -> lease.isLost() && lease.isPastMaxDuration(now));
        Map<Boolean, List<Lease>> dueByMissed = leases.stream()
                .filter(lease -> isDue(lease, now))
                .collect(Collectors.partitioningBy(Lease::isRenewalMissed));
        renewAll(Stream.of(false, true)
                .flatMap(missed -> batches(Objects.requireNonNull(dueByMissed.get(missed))))
                .toList());
    }

    private static Stream<List<Lease>> batches(List<Lease> due) {
        return IntStream.iterate(0, from -> from < due.size(), from -> from + BATCH_SIZE)
                .mapToObj(from -> due.subList(from, Math.min(due.size(), from + BATCH_SIZE)));
    }

    /** Returns when all are answered or given up. */
    private void renewAll(List<List<Lease>> batches) {
        if (batches.size() == 1) {
            renew(batches.get(0));
            return;
        }
        try {
            senders.invokeAll(batches.stream()
                    .map(batch -> Executors.callable(() -> renew(batch)))
                    .toList());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isDue(Lease lease, long now) {
        return lease.nextRenewal() - now <= 0 && !lease.isPastMaxDuration(now);
    }

    private void renew(List<Lease> batch) {
        long sentAt = nanoClock.getAsLong();
        Map<Claim, Lease> byClaim = batch.stream().collect(Collectors.toMap(Lease::claim, Function.identity()));
        try {
            Map<Claim, Renewal> answers = store.renew(byClaim.keySet());
            batch.forEach(lease -> apply(answers.getOrDefault(lease.claim(), Renewal.BUSY), lease, sentAt));
        } catch (RuntimeException failure) {
            // Whatever it is, it is no failure of the work, which may have been committed just now.
            batch.forEach(lease -> lease.renewalMissed(nanoClock.getAsLong()));
            tellOfFailure(batch.size(), failure);
        }
    }

    private void tellOfFailure(int claims, RuntimeException failure) {
        if (scheduler.isShutdown()) {
            logger.debug("The application stops in the middle of a renewal", failure);
        } else {
            logger.warn("Renewing {} claims failed and is tried again: {}", claims, failure.getMessage());
            logger.debug("A renewal failed", failure);
        }
    }

    private void apply(Renewal answer, Lease lease, long sentAt) {
        switch (answer) {
            case RENEWED -> lease.renewed(sentAt);
            case BUSY -> lease.renewalMissed(nanoClock.getAsLong());
            case LOST -> {
                // A claim that ended, or ends, while the batch is under way is not lost; the write of its end tells.
                if (leases.remove(lease) && !lease.isEnding()) {
                    lost(lease);
                }
            }
        }
    }

    private void scheduleNext() {
        long now = nanoClock.getAsLong();
        leases.stream()
                .mapToLong(lease -> lease.isPastMaxDuration(now) ? lease.nanosUntilEnd(now) : lease.nextRenewal() - now)
                .min()
                .ifPresent(nanos -> scheduleAtTheLatest(now + nanos));
    }

    private void scheduleAtTheLatest(long wanted) {
        ScheduledRun found = scheduled;
        if (found == null || found.isLaterThan(wanted)) {
            schedule(wanted);
        }
    }

    private synchronized void schedule(long wanted) {
        // Read here, since time may have passed on the way: a run that has begun is earlier than any delay from now.
        long now = nanoClock.getAsLong();
        long delay = Math.max(wanted - now, SHORTEST_PAUSE);
        if (scheduled != null) {
            if (!scheduled.isLaterThan(now + delay)) {
                return;
            }
            scheduled.future().cancel(false);
        }
        try {
            scheduled = new ScheduledRun(scheduler.schedule(this::run, delay, TimeUnit.NANOSECONDS), now + delay);
        } catch (RejectedExecutionException closed) {
            logger.debug("The application stops; claims are renewed no more", closed);
        }
    }

    /** Renews no more, and gives up what is under way. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        senders.shutdownNow();
    }
}
