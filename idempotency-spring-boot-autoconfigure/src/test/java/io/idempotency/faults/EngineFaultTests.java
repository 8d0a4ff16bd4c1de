package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.RecordState;
import io.idempotency.faults.TcpProxy.Fault;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.step.StepContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the callers of the engine see while the store falls silent or goes down, with client libraries that would wait
 * for far longer by themselves. Each test counts executions.
 */
@Tag("faults")
class EngineFaultTests {

    private static final Duration OUTAGE = Duration.ofSeconds(20);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final IdempotentSteps STEPS = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> {
        throw new AssertionError("These operations are called by the door");
    });

    private final Operation operation = new Operation(OperationPolicy.DEFAULT);

    private ProxiedStore proxied;

    private IdempotencyTemplate engine;

    /** Has the same store, and waits for it for longer than a busy machine takes. */
    private IdempotencyTemplate patientEngine;

    private IdempotencyTemplate otherEngine;

    /** Opens a store that is cut from its server, which needs no time-out to be noticed. */
    private void open(StoreAddress.Kind kind) {
        open(kind, PATIENCE);
    }

    /** Opens a store that falls silent or goes down, and is given up by its time-out. */
    private void openWithTimeout(StoreAddress.Kind kind) {
        open(kind, Promptness.STORE_TIMEOUT);
        // On a busy machine the first connection may take longer than that.
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IdempotencyStoreException.class)
                .untilAsserted(this::assertThatTheFirstCallWorks);
    }

    private void open(StoreAddress.Kind kind, Duration storeTimeout) {
        proxied = ProxiedStore.open(kind.address(), storeTimeout);
        engine = Operation.engine(proxied.store(), storeTimeout);
        patientEngine = Operation.engine(proxied.store(), PATIENCE);
        otherEngine = Operation.engine(proxied.past(), PATIENCE);
    }

    @AfterEach
    void close() {
        proxied.proxy().thaw();
        engine.close();
        patientEngine.close();
        otherEngine.close();
        proxied.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatTheStoreDoesNotAnswerIsRefusedInTimeAndLeavesTheKeyFree(StoreAddress.Kind kind) {
        openWithTimeout(kind);
        freezeAtTheNextRequestOf(operation);

        operation.isRefusedInTime(engine);

        proxied.proxy().thaw();
        assertThatTheFirstCallWorks();
        // The claim was applied, and is released by its own token: nobody waits for its lease of 30 seconds.
        IdempotentResult<String> result = operation.call(otherEngine, PATIENCE, () -> "ran");
        assertThat(result.replayed()).isFalse();
        assertThat(operation.executions()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aResultWhoseRecordingTheStoreDoesNotAnswerReachesItsCallerAndIsRecordedLater(StoreAddress.Kind kind) {
        openWithTimeout(kind);

        IdempotentResult<String> result = callUntilClaimed(() -> {
            freezeAtTheNextRequestOf(operation);
            return "ran";
        });

        assertThat(result.value()).isEqualTo("ran");
        proxied.proxy().thaw();
        assertThatTheFirstCallWorks();
        assertThat(operation.call(otherEngine, PATIENCE, () -> "ran again").value())
                .isEqualTo("ran");
        assertThat(operation.executions()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aFailureWhoseReleaseIsCutReachesItsCallerAndTheNextCallExecutes(StoreAddress.Kind kind) {
        open(kind);

        assertThatThrownBy(() -> operation.call(engine, Duration.ZERO, () -> {
                    cutTheNextRequestOf(operation);
                    throw new IllegalStateException("the work failed");
                }))
                .hasMessage("the work failed");

        assertThat(operation.call(otherEngine, PATIENCE, () -> "ran").value()).isEqualTo("ran");
        assertThat(operation.executions()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureThatIsHeldIsInDoubtThoughItsHoldIsCut(StoreAddress.Kind kind) {
        open(kind);
        Operation held = new Operation(OperationPolicy.DEFAULT.withOnFailure(OnFailure.HOLD));

        assertThatThrownBy(() -> held.call(engine, Duration.ZERO, () -> {
                    cutTheNextRequestOf(held);
                    throw new IllegalStateException("the work failed");
                }))
                .hasMessage("the work failed");

        assertThatThrownBy(() -> held.call(otherEngine, PATIENCE, () -> "ran"))
                .isInstanceOf(OperationInDoubtException.class);
        assertThat(held.executions()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatGoesDownWhileWorkRunsTakesTheOutcomeWhenItIsBack(StoreAddress.Kind kind) {
        openWithTimeout(kind);

        IdempotentResult<String> result = callUntilClaimed(() -> {
            proxied.proxy().refuse();
            return "ran";
        });
        assertThatThrownBy(() -> new Operation(OperationPolicy.DEFAULT).call(engine, Duration.ZERO, () -> "ran"))
                .isInstanceOf(IdempotencyStoreException.class);
        proxied.proxy().comeBack();

        assertThatTheFirstCallWorks();
        assertThat(result.value()).isEqualTo("ran");
        await().atMost(PATIENCE)
                .until(() -> proxied.past()
                        .find(operation.identity())
                        .map(IdempotencyRecord::state)
                        .filter(RecordState.COMPLETED::equals)
                        .isPresent());
        assertThat(operation.call(otherEngine, Duration.ZERO, () -> "ran again").replayed())
                .isTrue();
        assertThat(operation.executions()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("faults-long")
    void theFirstCallWorksAfterAStoreWasDownForLong(StoreAddress.Kind kind) {
        openWithTimeout(kind);

        proxied.proxy().refuse();
        long down = System.nanoTime();
        while (System.nanoTime() - down < OUTAGE.toNanos()) {
            assertThatThrownBy(() -> new Operation(OperationPolicy.DEFAULT).call(engine, Duration.ZERO, () -> "ran"))
                    .isInstanceOf(IdempotencyStoreException.class);
        }
        proxied.proxy().comeBack();

        assertThatTheFirstCallWorks();
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatWasRecordedIsNotDoneAgainThoughTheReplyIsLost(StoreAddress.Kind kind) {
        open(kind);

        List<String> keys = chargeWhileTheRecordingIsDisturbed(kind, Fault.CUT_BEFORE_REPLY);

        assertThat(keys).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatCouldNotBeRecordedIsDoneAgainWithItsKey(StoreAddress.Kind kind) {
        open(kind);

        List<String> keys = chargeWhileTheRecordingIsDisturbed(kind, Fault.CUT_BEFORE_REQUEST);

        // Lettuce may send the recording again by itself.
        assertThat(keys)
                .hasSizeBetween(kind == StoreAddress.Kind.REDIS ? 1 : 2, 2)
                .containsOnly(keys.get(0));
    }

    /** Returns the keys that the step was run with, over all attempts. */
    private List<String> chargeWhileTheRecordingIsDisturbed(StoreAddress.Kind kind, Fault fault) {
        // Redis learns the script, so that a recording is one request.
        new Operation(OperationPolicy.DEFAULT)
                .call(otherEngine, Duration.ZERO, () -> STEPS.run("charge", String.class, StepContext::key));
        List<String> keys = new ArrayList<>();
        IdempotentWork<String, RuntimeException> work = () -> STEPS.run("charge", String.class, step -> {
            if (keys.isEmpty()) {
                disturbTheNextRequestOf(operation, fault, Verb.RECORD_STEP.writingRequest(kind));
            }
            keys.add(step.key());
            return step.key();
        });
        try {
            operation.call(engine, Duration.ZERO, work);
        } catch (IdempotencyStoreException unanswered) {
            assertThat(operation.executions()).isOne();
        }

        assertThat(operation.call(otherEngine, PATIENCE, work).value()).isEqualTo(keys.get(0));
        return keys;
    }

    /** Calls anew while the claim, which is not disturbed, takes longer than the time-out because the machine is busy. */
    private IdempotentResult<String> callUntilClaimed(IdempotentWork<String, RuntimeException> work) {
        AtomicReference<IdempotentResult<String>> result = new AtomicReference<>();
        await().atMost(PATIENCE)
                .pollInSameThread()
                .ignoreExceptionsInstanceOf(IdempotencyStoreException.class)
                .until(() -> {
                    result.set(Promptness.promptly(() -> operation.call(engine, PATIENCE, work)));
                    return true;
                });
        return result.get();
    }

    private void assertThatTheFirstCallWorks() {
        Operation first = new Operation(OperationPolicy.DEFAULT);
        assertThat(first.call(patientEngine, Duration.ZERO, () -> "ran").replayed())
                .isFalse();
    }

    private void freezeAtTheNextRequestOf(Operation disturbed) {
        disturbTheNextRequestOf(disturbed, Fault.FREEZE_AFTER_REQUEST, 1);
    }

    private void cutTheNextRequestOf(Operation disturbed) {
        disturbTheNextRequestOf(disturbed, Fault.CUT_BEFORE_REQUEST, 1);
    }

    private void disturbTheNextRequestOf(Operation disturbed, Fault fault, int which) {
        proxied.proxy().disturb(new Trap(fault, proxied.marker(disturbed.identity()), which));
    }
}
