package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.RecordState;
import io.idempotency.faults.TcpProxy.Fault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the callers of the engine see while the store falls silent or goes down, with client libraries that would wait for
 * 30 or 60 seconds by themselves. Each test counts executions.
 */
@Tag("faults")
class EngineFaultTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** Far more than a busy machine needs, and less than the libraries wait. */
    private static final Duration ANSWERED = Duration.ofSeconds(20);

    private static final Duration OUTAGE = Duration.ofSeconds(20);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Operation operation = new Operation(OperationPolicy.DEFAULT);

    private ProxiedStore proxied;

    private IdempotencyTemplate engine;

    private IdempotencyTemplate otherEngine;

    private void open(StoreAddress.Kind kind) {
        proxied = ProxiedStore.open(kind.address(), STORE_TIMEOUT);
        engine = Operation.engine(proxied.store(), STORE_TIMEOUT);
        otherEngine = Operation.engine(proxied.past(), ANSWERED);
    }

    @AfterEach
    void close() {
        proxied.proxy().thaw();
        engine.close();
        otherEngine.close();
        proxied.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatTheStoreDoesNotAnswerIsRefusedInTimeAndLeavesTheKeyFree(StoreAddress.Kind kind) {
        open(kind);
        freezeAtTheNextRequestOf(operation);

        long begin = System.nanoTime();
        assertThatThrownBy(() -> operation.call(engine, Duration.ZERO, () -> "ran"))
                .isInstanceOf(IdempotencyStoreException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(ANSWERED);
        assertThat(operation.executions()).isZero();
        proxied.proxy().thaw();
        assertThatTheFirstCallWorks();
        // The claim was applied, and is released by its own token: nobody waits for its lease of 30 seconds.
        IdempotentResult<String> result = operation.call(otherEngine, ANSWERED, () -> "ran");
        assertThat(result.replayed()).isFalse();
        assertThat(operation.executions()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aResultWhoseRecordingTheStoreDoesNotAnswerReachesItsCallerAndIsRecordedLater(StoreAddress.Kind kind) {
        open(kind);

        long begin = System.nanoTime();
        IdempotentResult<String> result = operation.call(engine, Duration.ZERO, () -> {
            freezeAtTheNextRequestOf(operation);
            return "ran";
        });

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(ANSWERED);
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
        open(kind);

        IdempotentResult<String> result = operation.call(engine, Duration.ZERO, () -> {
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
        open(kind);

        proxied.proxy().refuse();
        long down = System.nanoTime();
        while (System.nanoTime() - down < OUTAGE.toNanos()) {
            assertThatThrownBy(() -> new Operation(OperationPolicy.DEFAULT).call(engine, Duration.ZERO, () -> "ran"))
                    .isInstanceOf(IdempotencyStoreException.class);
        }
        proxied.proxy().comeBack();

        assertThatTheFirstCallWorks();
    }

    private void assertThatTheFirstCallWorks() {
        Operation first = new Operation(OperationPolicy.DEFAULT);
        assertThat(first.call(engine, Duration.ZERO, () -> "ran").replayed()).isFalse();
    }

    private void freezeAtTheNextRequestOf(Operation disturbed) {
        proxied.proxy().disturb(new Trap(Fault.FREEZE_AFTER_REQUEST, proxied.marker(disturbed.identity()), 1));
    }

    private void cutTheNextRequestOf(Operation disturbed) {
        proxied.proxy().disturb(new Trap(Fault.CUT_BEFORE_REQUEST, proxied.marker(disturbed.identity()), 1));
    }
}
