package io.idempotency.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives every verb of a store a time limit, whatever the time-outs of the client library are. A verb that is silent for
 * longer fails with {@link IdempotencyStoreException}; whether it was applied is then unknown. Only an
 * {@link ImmediateStore} needs none. Anything that a store throws becomes that exception too, so that callers have one
 * failure to handle.
 *
 * <p>A frozen store holds threads until its client gives up. Their number is limited: beyond it, verbs fail at once. Claims
 * have threads of their own, so that a flood of them keeps no renewal and no recording from the store.
 */
final class TimeLimitedStore implements IdempotencyStore, StepStore, StoreWarnings {

    private static final int MAX_THREADS = 256;

    private final IdempotencyStore store;

    private final Duration timeout;

    private final ExecutorService claims = threads("idempotency-claim");

    private final ExecutorService others = threads("idempotency-store");

    TimeLimitedStore(IdempotencyStore store, Duration timeout) {
        this.store = store;
        this.timeout = timeout;
    }

    /** They end by themselves when they are idle. */
    private static ExecutorService threads(String name) {
        return new ThreadPoolExecutor(
                0, MAX_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads(name));
    }

    /** Says whether a verb that failed may have reached the store. */
    static boolean mayHaveBeenSent(IdempotencyStoreException failure) {
        return !(failure.getCause() instanceof RejectedExecutionException);
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        return limited(claims, "claim", () -> store.claim(request));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return limited("renew", () -> store.renew(claims));
    }

    @Override
    public Ownership complete(Claim claim, Outcome outcome, Duration retention) {
        return limited("complete", () -> store.complete(claim, outcome, retention));
    }

    @Override
    public Ownership release(Claim claim, Duration retention) {
        return limited("release", () -> store.release(claim, retention));
    }

    @Override
    public Ownership hold(Claim claim) {
        return limited("hold", () -> store.hold(claim));
    }

    @Override
    public boolean resolve(Identity identity, long attempt, Resolution resolution) {
        return limited("resolve", () -> store.resolve(identity, attempt, resolution));
    }

    @Override
    public Optional<IdempotencyRecord> find(Identity identity) {
        return limited("find", () -> store.find(identity));
    }

    @Override
    public List<String> warnings() {
        return store instanceof StoreWarnings warnings ? limited("warnings", warnings::warnings) : List.of();
    }

    @Override
    public Ownership recordStep(Claim claim, StepRecord step) {
        StepStore steps = (StepStore) store;
        return limited("record a step", () -> steps.recordStep(claim, step));
    }

    @Override
    public Ownership forgetStep(Claim claim, StepIdentity step) {
        StepStore steps = (StepStore) store;
        return limited("forget a step", () -> steps.forgetStep(claim, step));
    }

    @Override
    public boolean resolveStep(Identity identity, long attempt, StepIdentity step, Outcome result) {
        StepStore steps = (StepStore) store;
        return limited("resolve a step", () -> steps.resolveStep(identity, attempt, step, result));
    }

    private <T> T limited(String verb, Supplier<T> call) {
        return limited(others, verb, call);
    }

    private <T> T limited(ExecutorService threads, String verb, Supplier<T> call) {
        if (store instanceof ImmediateStore) {
            return immediate(verb, call);
        }
        Future<T> answer;
        try {
            answer = threads.submit(call::get);
        } catch (RejectedExecutionException saturated) {
            throw new IdempotencyStoreException(
                    "The store has %d calls under way and takes no other: %s".formatted(MAX_THREADS, verb), saturated);
        }
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            // Not interrupted: an interrupt in the middle of a write makes some drivers break the connection.
            throw new IdempotencyStoreException("The store did not answer within " + timeout + ": " + verb, silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IdempotencyStoreException("Interrupted while waiting for the store: " + verb, interrupted);
        } catch (ExecutionException failed) {
            throw storeException(verb, failed.getCause());
        }
    }

    private static <T> T immediate(String verb, Supplier<T> call) {
        try {
            return call.get();
        } catch (Throwable failed) {
            throw storeException(verb, failed);
        }
    }

    private static IdempotencyStoreException storeException(String verb, @Nullable Throwable cause) {
        return cause instanceof IdempotencyStoreException known
                ? known
                : new IdempotencyStoreException("The store failed: " + verb, cause);
    }
}
