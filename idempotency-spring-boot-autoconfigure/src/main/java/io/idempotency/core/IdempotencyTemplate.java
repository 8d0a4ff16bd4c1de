package io.idempotency.core;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
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
 * <p>Thread-safe. Closing it tries for five seconds at most to record and release what waits for the store, and ends its
 * threads, but not the store.
 */
public final class IdempotencyTemplate implements IdempotencyOperations, AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(IdempotencyTemplate.class);

    /** So many ends, and as many releases, wait for a part of the store that is silent before others wait for them. */
    private static final int MAX_TRIES_AT_ONCE = 8;

    /** However long the store-timeout is: what runs the application kills it soon after it has asked it to stop. */
    private static final Duration LAST_TRIES = Duration.ofSeconds(5);

    private final LongSupplier nanoClock = System::nanoTime;

    private final EngineSettings settings;

    private final OperationPolicy defaultPolicy;

    private final OutcomeCodecFactory codecs;

    private final Listeners listeners;

    private final TimeLimitedStore store;

    private final WaitingClaims claims;

    private final LeaseRenewer renewer;

    private final PendingEnds pendingEnds;

    private final OutcomeRecorder recorder;

    private final AbandonedClaims abandonedClaims;

    private final TransactionalExecutions transactions;

    private final LockedTransactions lockedTransactions;

    private final StepServices stepServices;

    /**
     * Makes an engine without transactional operations.
     *
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
        this(store, codecs, settings, defaultPolicy, transaction, WorkTransactions.NONE, listeners);
    }

    /**
     * Makes an engine.
     *
     * @param store a {@link TransactionalStore} too, where operations are to be transactional
     * @param defaultPolicy what the programmatic door starts from
     * @param transactions opens those of transactional operations
     * @param listeners told in this order
     */
    public IdempotencyTemplate(
            IdempotencyStore store,
            OutcomeCodecFactory codecs,
            EngineSettings settings,
            OperationPolicy defaultPolicy,
            SurroundingTransaction transaction,
            WorkTransactions transactions,
            List<? extends IdempotencyListener> listeners) {
        this.settings = settings;
        this.defaultPolicy = defaultPolicy;
        this.codecs = codecs;
        this.listeners = new Listeners(listeners);
        TimeLimitedStore limited = new TimeLimitedStore(store, settings.storeTimeout());
        this.store = limited;
        limited.weakness(defaultPolicy.lease())
                .ifPresent(weakness -> logger.warn("Operations may lose their claims. {}", weakness));
        WaitingRoom waitingRoom = new WaitingRoom(settings.maxWaiters());
        this.claims = new WaitingClaims(limited, waitingRoom, this.listeners, nanoClock);
        this.renewer = new LeaseRenewer(
                limited,
                this.listeners,
                Executors.newSingleThreadScheduledExecutor(new DaemonThreads("idempotency-renewal")),
                nanoClock);
        this.pendingEnds = new PendingEnds(
                renewer,
                Executors.newScheduledThreadPool(MAX_TRIES_AT_ONCE, new DaemonThreads("idempotency-recording")),
                nanoClock);
        this.recorder = new OutcomeRecorder(limited, transaction, renewer, waitingRoom, this.listeners, pendingEnds);
        this.abandonedClaims = new AbandonedClaims(
                limited,
                waitingRoom,
                Executors.newScheduledThreadPool(MAX_TRIES_AT_ONCE, new DaemonThreads("idempotency-release")),
                nanoClock);
        this.lockedTransactions = new LockedTransactions(store, transactions, renewer);
        this.stepServices = new StepServices(
                limited,
                new TransactionalSteps(lockedTransactions),
                new StepObstacles(store, transaction, lockedTransactions),
                transaction,
                renewer,
                this.listeners);
        this.transactions = new TransactionalExecutions(lockedTransactions, transaction, recorder, this.listeners);
    }

    /**
     * Says why an operation may lose its claims to a store that is merely slow, with the remedy; empty where it may not, or
     * has the lease that the engine was made with, of which the log tells.
     */
    public Optional<String> weakness(OperationPolicy policy) {
        return policy.lease().equals(defaultPolicy.lease()) ? Optional.empty() : store.weakness(policy.lease());
    }

    /**
     * Opens a transaction as transactional operations and steps do and rolls it back, to say why none of them can run; empty
     * where they can.
     */
    public Optional<String> obstacle(TransactionSettings settings) {
        return lockedTransactions.obstacle(settings);
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
        boolean transactional = request.policy().transaction().isPresent();
        if (transactional) {
            transactions.require(request.key().operation());
        }
        Admission admission = admit(request);
        if (admission instanceof Admission.Replay replay) {
            return ReplayableOutcomes.result(replay, codec);
        }
        Execution execution = ((Admission.Execute) admission).execution();
        if (transactional && execution instanceof ClaimedExecution claimed) {
            return transactions.execute(claimed, request, codec, work);
        }
        T value;
        try {
            value = execution.call(work);
        } catch (Throwable failure) {
            execution.fail(failure);
            throw failure;
        }
        execution.complete(ReplayableOutcomes.encode(request.key().subject(), codec, value));
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> CompletableFuture<IdempotentResult<T>> executeAsync(
            IdempotencyRequest request, OutcomeCodec<T> codec, IdempotentWork<? extends CompletionStage<T>, E> work)
            throws E {
        Admission admission = begin(request);
        if (admission instanceof Admission.Replay replay) {
            return CompletableFuture.completedFuture(ReplayableOutcomes.result(replay, codec));
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
            Throwable cause = CompletionFailure.causeOf(failure);
            if (cause instanceof CancellationException) {
                // Who cancels a future learns nothing about the work behind it.
                execution.hold();
            } else {
                execution.fail(cause);
            }
            throw new CompletionException(cause);
        }
        execution.complete(ReplayableOutcomes.encode(request.key().subject(), codec, value));
        return new IdempotentResult<>(value, false, execution.attempt());
    }

    @Override
    public Admission begin(IdempotencyRequest request) {
        if (request.policy().transaction().isPresent()) {
            throw new IllegalStateException(
                    "Operation %s is transactional, so that its work must end where it began; execute it at once"
                            .formatted(request.key().operation()));
        }
        return admit(request);
    }

    private Admission admit(IdempotencyRequest request) {
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
            if (!(failure instanceof StoreSaturatedException saturated) || saturated.wasSent()) {
                abandonedClaims.release(claim, policy.retention());
            }
            return withoutStore(identity, policy, failure);
        }
        return answer.outcome()
                .fold(
                        granted -> execute(granted, claim, policy, answer.sentAt()),
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

    private Admission execute(ClaimOutcome.Granted granted, ClaimRequest claim, OperationPolicy policy, long sentAt) {
        Lease lease = new Lease(granted.claim(), policy.maxDuration(), sentAt, nanoClock);
        if (lease.isLost()) {
            // Somebody else may be executing by now. Nothing has begun here, so that refusing costs nothing.
            abandonedClaims.release(claim, policy.retention());
            throw new IdempotencyStoreException(
                    ("The claim came after its lease of %s was over, so that nothing runs. Let idempotency.lease be longer"
                                    + " than idempotency.store-timeout")
                            .formatted(policy.lease()),
                    null);
        }
        renewer.watch(lease);
        listeners.tell(listener -> listener.executionStarted(granted.claim(), granted.takeover()));
        ClaimedSteps steps = new ClaimedSteps(lease, policy, granted.steps(), stepServices);
        return new Admission.Execute(new ClaimedExecution(lease, policy, recorder, steps));
    }

    private Admission replay(Identity identity, ClaimOutcome.Completed completed) {
        listeners.tell(listener ->
                listener.outcomeReplayed(identity, completed.outcome().kind()));
        return ReplayableOutcomes.replay(identity, completed);
    }

    private Admission withoutStore(Identity identity, OperationPolicy policy, IdempotencyStoreException failure) {
        if (policy.onStoreFailure() == OnStoreFailure.REJECT
                || policy.transaction().isPresent()
                || !isFailureOfTheStore(failure)) {
            throw failure;
        }
        logger.warn("Operation {} runs without protection: {}", identity, failure.getMessage());
        listeners.tell(listener -> listener.ranUnprotected(identity, failure));
        UnclaimedTransactions unclaimed = new UnclaimedTransactions(lockedTransactions, policy.maxDuration());
        return new Admission.Execute(new UnprotectedExecution(new UnrecordedSteps(identity, unclaimed)));
    }

    /** A flood of calls is none, nor is an interrupt: somebody wants this call to end. */
    private static boolean isFailureOfTheStore(IdempotencyStoreException failure) {
        boolean flooded = failure instanceof StoreSaturatedException saturated && !saturated.isStoreSilent();
        return !flooded && !Thread.currentThread().isInterrupted();
    }

    /**
     * Tries for five seconds at most to record and release what waits for the store, and goes on as before. For a store that
     * ends before this engine is closed.
     */
    public void flush() {
        LastTries.run(LAST_TRIES, () -> {
            pendingEnds.tryNow();
            abandonedClaims.tryNow();
        });
    }

    @Override
    public void close() {
        LastTries.run(LAST_TRIES, () -> {
            pendingEnds.close();
            abandonedClaims.close();
        });
        renewer.close();
        store.keepNoIdleThreads();
    }
}
