package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.Identity;
import io.idempotency.core.OnStoreFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** An application with one operation, whose attempts fail, vanish and lose their claims as a test says. */
final class Workshop implements AutoCloseable {

    static final int MAX_RESULT = 10_000;

    private static final String NAMESPACE = "workshop";

    private static final String OPERATION = "workflow";

    private static final Duration HOUR = Duration.ofHours(1);

    /** Of attempts that lose their claims without being told so by the store. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(1_000);

    private final StepFaults store = new StepFaults(memory);

    private final OutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(MAX_RESULT);

    private final OpenTransaction transaction = new OpenTransaction();

    private final StepEvents told = new StepEvents();

    private final IdempotencyTemplate engine = engine(store);

    private final List<String> ran = new CopyOnWriteArrayList<>();

    private OperationPolicy policy = OperationPolicy.DEFAULT.withMaxWait(Duration.ofSeconds(30));

    private String key = UUID.randomUUID().toString();

    private Fingerprint fingerprint = Fingerprint.none();

    IdempotentSteps steps() {
        return JournaledSteps.recorded(codecs, () -> engine);
    }

    IdempotentSteps passedThrough() {
        return JournaledSteps.passedThrough(codecs);
    }

    /** Returns what the steps have done, in order. */
    List<String> ran() {
        return ran;
    }

    /** Returns what listeners were told of the steps, in order. */
    List<String> told() {
        return told.all();
    }

    /** Returns how often a step was written. */
    int writes() {
        return store.writes();
    }

    String key() {
        return key;
    }

    void key(String newKey) {
        key = newKey;
    }

    void nextKey() {
        key = UUID.randomUUID().toString();
    }

    void fingerprint(Fingerprint asked) {
        fingerprint = asked;
    }

    void failingToRecord(int times) {
        store.failRecords(times);
    }

    void failingToClaim() {
        store.failClaims();
    }

    /** Makes an attempt that gives a value. */
    String succeeds(Callable<String> work) {
        return succeeds(String.class, work);
    }

    <T> T succeeds(Type type, Callable<T> work) {
        return unchecked(() -> attempt(engine, policy, type, work));
    }

    /** Makes an attempt whose work may throw anything. */
    <E extends Throwable> void attempts(IdempotentWork<String, E> work) throws E {
        engine.operation(OPERATION).key(key).policy(any -> policy).execute(String.class, work);
    }

    /** Makes an attempt that throws, and returns what. */
    Exception fails(Callable<?> work) {
        try {
            attempt(engine, policy, String.class, () -> String.valueOf(work.call()));
        } catch (Exception failure) {
            return failure;
        }
        throw new AssertionError("The attempt has not failed");
    }

    void proceeding(Callable<String> work) {
        OperationPolicy proceeding = policy.withOnStoreFailure(OnStoreFailure.PROCEED);
        unchecked(() -> attempt(engine, proceeding, String.class, work));
    }

    void succeedsInATransaction(Callable<String> work) {
        succeeds(() -> {
            transaction.begin();
            try {
                return work.call();
            } finally {
                transaction.end();
            }
        });
    }

    /** The work of an attempt. */
    interface Work {
        void run() throws Exception;
    }

    /** Makes an attempt whose JVM dies at the end of the work, so that nothing of its end reaches the store. */
    void vanishes(Work work) {
        lostTo(
                () -> {
                    work.run();
                    throw vanishing();
                },
                failure -> assertThat(failure).isInstanceOf(Vanished.class));
    }

    /** Returns what is thrown where a JVM dies in the middle of the work. */
    RuntimeException vanishing() {
        return new Vanished();
    }

    /** Makes an attempt that neither renews its lease nor tells its end, and throws. */
    void lostTo(Callable<String> work, Consumer<Throwable> thrown) {
        StepFaults deaf = new StepFaults(memory);
        deaf.failEnds();
        try (IdempotencyTemplate other = engine(deaf)) {
            attempt(other, policy.withLease(SHORT_LEASE), String.class, work);
        } catch (Exception failure) {
            thrown.accept(failure);
            return;
        }
        throw new AssertionError("The attempt has not failed");
    }

    /** Lets somebody else take over the claim of the attempt that is running, and release it. */
    void letAnotherTakeOver() {
        ClaimRequest request = ClaimRequest.of(identity(), fingerprint, OwnerToken.random(), policy);
        Claim successor = await().until(
                        () -> memory.claim(request) instanceof ClaimOutcome.Granted granted ? granted.claim() : null,
                        claim -> claim != null);
        memory.release(successor, HOUR);
    }

    /** Says as an operator that a step which is in doubt was done. */
    void resolveStep(String name, String result) {
        long attempt = memory.find(identity()).orElseThrow().attempt();
        Outcome outcome = codecs.codecFor(String.class).encode(result);
        assertThat(memory.resolveStep(identity(), attempt, StepIdentity.of(name, null), outcome))
                .isTrue();
    }

    /** Says as an operator that what is in doubt was not done. */
    void resolve() {
        long attempt = memory.find(identity()).orElseThrow().attempt();
        assertThat(memory.resolve(identity(), attempt, new Resolution.Retry(HOUR)))
                .isTrue();
    }

    /** Returns what the engine says at WARN meanwhile. */
    String logOf(Runnable run) {
        try (CapturedLog log = new CapturedLog("io.idempotency.core", "WARN")) {
            run.run();
            return String.join("\n", log.lines());
        }
    }

    private Identity identity() {
        return new IdempotencyKey(OPERATION, null, key).identity(NAMESPACE);
    }

    private IdempotencyTemplate engine(StepFaults on) {
        return new IdempotencyTemplate(
                on,
                codecs,
                new EngineSettings(NAMESPACE, Duration.ofSeconds(20), 10),
                OperationPolicy.DEFAULT,
                transaction,
                List.of(told));
    }

    private <T> T attempt(IdempotencyTemplate on, OperationPolicy with, Type type, Callable<T> work) throws Exception {
        return on.operation(OPERATION)
                .key(key)
                .fingerprint(fingerprint)
                .policy(any -> with)
                .<T, Exception>execute(type, work::call)
                .value();
    }

    private static <T> T unchecked(Callable<T> work) {
        try {
            return work.call();
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new AssertionError(checked);
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    private static final class Vanished extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
