package io.idempotency.core;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine: claims, runs, records. Every door ends here.
 *
 * <ol>
 *   <li>{@link #begin} claims. A granted claim is an {@link Admission.Execute}, a recorded outcome is an
 *       {@link Admission.Replay}, everything else is thrown as an {@link IdempotencyException} and nothing runs.
 *   <li>While the work runs, its claim is renewed in the background.
 *   <li>The end of the work is recorded before its caller gets the result. When the store does not take the record, the
 *       caller gets the result all the same and the recording goes on in the background.
 * </ol>
 *
 * <p>Thread-safe. Closing it tries once more to record what waits for the store, and ends its threads, but not the store.
 */
public final class IdempotencyTemplate implements IdempotencyOperations, AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(IdempotencyTemplate.class);

    private final LongSupplier nanoClock = System::nanoTime;

    private final ScheduledExecutorService renewals =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("idempotency-renewal"));

    private final ScheduledExecutorService releases =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("idempotency-release"));

    private final EngineSettings settings;

    private final OperationPolicy defaultPolicy;

    private final OutcomeCodecFactory codecs;

    private final Listeners listeners;

    private final WaitingClaims claims;

    private final LeaseRenewer renewer;

    private final PendingEnds pendingEnds;

    private final OutcomeRecorder recorder;

    private final AbandonedClaims abandonedClaims;

    /**
     * @param defaultPolicy what the programmatic door starts from
     * @param listeners told in this order
     */
    public IdempotencyTemplate(
            IdempotencyStore store,
            OutcomeCodecFactory codecs,
            EngineSettings settings,
            OperationPolicy defaultPolicy,
            SurroundingTransaction transaction,
            List<? extends IdempotencyListener> listeners) {
        this.settings = settings;
        this.defaultPolicy = defaultPolicy;
        this.codecs = codecs;
        this.listeners = new Listeners(listeners);
        IdempotencyStore limited = new TimeLimitedStore(store, settings.storeTimeout());
        WaitingRoom waitingRoom = new WaitingRoom(settings.maxWaiters());
        this.claims = new WaitingClaims(limited, waitingRoom, nanoClock);
        this.renewer = new LeaseRenewer(limited, this.listeners, renewals, nanoClock);
        this.pendingEnds = new PendingEnds(
                renewer,
                Executors.newSingleThreadScheduledExecutor(new DaemonThreads("idempotency-recording")),
                nanoClock);
        this.recorder = new OutcomeRecorder(limited, transaction, renewer, waitingRoom, this.listeners, pendingEnds);
        this.abandonedClaims = new AbandonedClaims(limited, waitingRoom, releases);
    }

    @Override
    public OperationSpec operation(String name) {
        return key -> new CallSpecification(
                this,
                codecs,
                new IdempotencyRequest(new IdempotencyKey(name, null, key), Fingerprint.none(), defaultPolicy));
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> IdempotentResult<T> execute(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends T, E> work) throws E {
        Admission admission = begin(request);
        if (admission instanceof Admission.Replay replay) {
            return replayed(replay, codec);
        }
        Execution execution = ((Admission.Execute) admission).execution();
        T value;
        try {
            value = execution.call(work);
        } catch (Throwable failure) {
            execution.fail(failure);
            throw failure;
        }
        execution.complete(encode(request, codec, value));
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> CompletableFuture<IdempotentResult<T>> executeAsync(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends CompletionStage<T>, E> work)
            throws E {
        Admission admission = begin(request);
        if (admission instanceof Admission.Replay replay) {
            return CompletableFuture.completedFuture(replayed(replay, codec));
        }
        Execution execution = ((Admission.Execute) admission).execution();
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(execution.call(work), "The work gave no stage");
        } catch (Throwable failure) {
            execution.fail(failure);
            throw failure;
        }
        return stage.handle((value, failure) -> ended(request, codec, execution, value, failure))
                .toCompletableFuture();
    }

    private <T extends @Nullable Object> IdempotentResult<T> ended(
            IdempotencyRequest request,
            OutcomeCodec<T> codec,
            Execution execution,
            T value,
            @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof CancellationException) {
                // Who cancels a future learns nothing about the work behind it.
                execution.hold();
            } else {
                execution.fail(cause);
            }
            throw new CompletionException(cause);
        }
        execution.complete(encode(request, codec, value));
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    @Override
    public Admission begin(IdempotencyRequest request) {
        Identity identity = request.key().identity(settings.namespace());
        try {
            return admit(identity, request);
        } catch (IdempotencyException refusal) {
            logger.debug("Operation {} does not run: {}", identity, refusal.getMessage());
            listeners.tell(listener -> listener.callRefused(identity, refusal));
            throw refusal;
        }
    }

    private Admission admit(Identity identity, IdempotencyRequest request) {
        if (IdempotencyContext.isExecuting(identity)) {
            // Waiting for oneself would take the whole wait and end the same way.
            throw new OperationInProgressException(identity, request.policy().lease());
        }
        OperationPolicy policy = request.policy();
        ClaimRequest claim = ClaimRequest.of(identity, request.fingerprint(), OwnerToken.random(), policy);
        WaitingClaims.Answer answer;
        try {
            answer = claims.claim(claim, policy.maxWait());
        } catch (IdempotencyStoreException failure) {
            if (TimeLimitedStore.mayHaveBeenSent(failure)) {
                abandonedClaims.release(claim, policy.retention());
            }
            return withoutStore(identity, policy, failure);
        }
        return answer.outcome()
                .fold(
                        granted -> execute(granted, policy, answer.sentAt()),
                        inProgress -> {
                            throw new OperationInProgressException(identity, inProgress.remainingLease());
                        },
                        completed -> replay(identity, completed),
                        () -> {
                            throw new FingerprintMismatchException(identity);
                        },
                        inDoubt -> {
                            throw new OperationInDoubtException(identity, inDoubt.attempt());
                        });
    }

    private Admission execute(ClaimOutcome.Granted granted, OperationPolicy policy, long sentAt) {
        Lease lease = new Lease(granted.claim(), policy.maxDuration(), sentAt, nanoClock);
        renewer.watch(lease);
        listeners.tell(listener -> listener.executionStarted(granted.claim(), granted.takeover()));
        return new Admission.Execute(new ClaimedExecution(lease, policy, recorder));
    }

    private Admission replay(Identity identity, ClaimOutcome.Completed completed) {
        Outcome outcome = completed.outcome();
        listeners.tell(listener -> listener.outcomeReplayed(identity, outcome.kind()));
        return switch (outcome.kind()) {
            case VALUE -> new Admission.Replay(identity, outcome, completed.attempt());
            case FAILURE -> throw recordedFailure(identity, outcome);
            case TOMBSTONE -> throw new OutcomeUnavailableException(identity, outcome.text(), null);
            case UNREADABLE ->
                throw new OutcomeUnavailableException(
                        identity, "this version of the application cannot read what is stored", null);
        };
    }

    private static RecordedFailureException recordedFailure(Identity identity, Outcome outcome) {
        String[] typeAndMessage = outcome.text().split("\n", 2);
        return new RecordedFailureException(
                identity, typeAndMessage[0], typeAndMessage.length == 2 ? typeAndMessage[1] : "");
    }

    private Admission withoutStore(Identity identity, OperationPolicy policy, IdempotencyStoreException failure) {
        // An interrupt is no failure of the store: somebody wants this call to end.
        if (policy.onStoreFailure() == OnStoreFailure.REJECT
                || Thread.currentThread().isInterrupted()) {
            throw failure;
        }
        logger.warn("Operation {} runs without protection: {}", identity, failure.getMessage());
        listeners.tell(listener -> listener.ranUnprotected(identity, failure));
        return new Admission.Execute(UnprotectedExecution.INSTANCE);
    }

    private static <T extends @Nullable Object> IdempotentResult<T> replayed(
            Admission.Replay replay, OutcomeCodec<T> codec) {
        try {
            return new IdempotentResult<>(codec.decode(replay.outcome()), true, replay.attempt());
        } catch (OutcomeCodecException unreadable) {
            throw new OutcomeUnavailableException(replay.identity(), unreadable.getMessage(), unreadable);
        }
    }

    /** Encodes a value and decodes it once, so that what cannot be replayed is known now and not at the first retry. */
    private static <T extends @Nullable Object> Outcome encode(
            IdempotencyRequest request, OutcomeCodec<T> codec, T value) {
        try {
            Outcome outcome = codec.encode(value);
            codec.decode(outcome);
            return outcome;
        } catch (OutcomeCodecException unreplayable) {
            return tombstone(request, unreplayable.getMessage(), unreplayable);
        } catch (Throwable broken) {
            // The work has happened: whatever a codec throws, its caller gets the value and nothing runs again.
            return tombstone(request, "its value could not be encoded", broken);
        }
    }

    private static Outcome tombstone(IdempotencyRequest request, String reason, Throwable cause) {
        String operation = request.key().operation();
        logger.warn("The outcome of operation {} cannot be replayed: {}", operation, reason);
        logger.debug("Encoding the outcome of operation {} failed", operation, cause);
        return Outcome.tombstone(reason);
    }

    @Override
    public void close() {
        pendingEnds.close();
        releases.shutdownNow();
        renewals.shutdownNow();
    }
}
