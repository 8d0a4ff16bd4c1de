package io.idempotency.store;

import static io.idempotency.store.StoreFixture.abandonedRequest;
import static io.idempotency.store.StoreFixture.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimLostException;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.RecordState;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepInDoubtException;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.step.StepContext;
import io.idempotency.testsupport.CapturedLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operations of several steps, from one attempt to the next. */
interface WorkflowContract extends StoreFixture {

    JsonOutcomeCodecFactory CODECS = new JsonOutcomeCodecFactory(1_000);

    IdempotentSteps STEPS = JournaledSteps.recorded(CODECS, () -> {
        throw new AssertionError("The operations of this contract are called by the door");
    });

    @Test
    default void aLoopThatFailedGoesOnWithWhatWasNotRecorded() {
        String key = newKey();
        List<Integer> ran = new ArrayList<>();

        assertThatFails(key, () -> loop(1_000, 500, ran));
        assertThat(ran).hasSize(500);
        assertThatFails(key, () -> {
            loop(1_000, -1, ran);
            throw new Planted();
        });

        assertThat(call(key, () -> loop(1_000, -1, ran))).isEqualTo("sum 499500");
        assertThat(ran)
                .containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
    }

    private static String loop(int items, int failing, List<Integer> ran) {
        int sum = 0;
        for (int number = 0; number < items; number++) {
            int item = number;
            sum += STEPS.run("ship", Integer.toString(item), Integer.class, step -> {
                if (item == failing) {
                    throw new Planted();
                }
                ran.add(item);
                return item;
            });
        }
        return "sum " + sum;
    }

    @Test
    default void aRecordedStepIsNotMixedUpWithWhatTheCodeAsksForNow() {
        String key = newKey();
        assertThatFails(key, () -> {
            STEPS.step("charge_card").arguments(Fingerprint.of("10 EUR")).run(String.class, step -> "a receipt");
            throw new Planted();
        });

        assertThatExceptionOfType(StepConflictException.class)
                .isThrownBy(() -> call(
                        key,
                        () -> STEPS.step("charge_card")
                                .arguments(Fingerprint.of("20 EUR"))
                                .run(String.class, WorkflowContract::never)))
                .withMessageContaining("'charge_card'");
        assertThatExceptionOfType(StepConflictException.class)
                .isThrownBy(() -> call(
                        key,
                        () -> STEPS.step("charge_card")
                                .arguments(Fingerprint.of("10 EUR"))
                                .run(Integer.class, WorkflowContract::never)
                                .toString()))
                .withMessageContaining("'charge_card'");
        try (CapturedLog log = new CapturedLog("io.idempotency.core", "WARN")) {
            assertThat(call(key, () -> STEPS.run("charge", String.class, step -> "another receipt")))
                    .isEqualTo("another receipt");
            assertThat(log.lines()).anySatisfy(line -> assertThat(line).contains("charge_card"));
        }
    }

    @Test
    default void aStepIsNotAskedForTwiceInOneExecution() {
        assertThatIllegalStateException()
                .isThrownBy(() -> call(
                        newKey(),
                        () -> STEPS.run("ship", "item 1", String.class, step -> "shipped")
                                + STEPS.run("ship", "item 1", String.class, WorkflowContract::never)))
                .withMessageContaining("'ship'");
    }

    /** It is frozen inside of the step, while another attempt does the step and goes on. */
    @Test
    default void aStaleOwnersStepIsRefusedAndItsCodeIsTold() {
        String key = newKey();
        try (IdempotencyTemplate frozen = engine(withLeasesThatAreOver())) {
            assertThatExceptionOfType(ClaimLostException.class)
                    .isThrownBy(() -> call(
                            frozen,
                            key,
                            () -> STEPS.run("charge_card", String.class, stale -> {
                                awaitEndOfLease(identity(key));
                                chargeOnAnotherThread(key);
                                return "receipt " + stale.attempt();
                            })));
        }

        assertThat(call(key, () -> STEPS.run("charge_card", String.class, WorkflowContract::never)))
                .isEqualTo("receipt 2");
    }

    private void chargeOnAnotherThread(String key) {
        together(List.of(() -> {
            assertThatFails(key, () -> {
                STEPS.run("charge_card", String.class, step -> "receipt " + step.attempt());
                throw new Planted();
            });
            return "failed";
        }));
    }

    @Test
    default void aStepThatMustNotBeRepeatedIsHeldWhenItsAttemptVanishedInside() {
        String key = newKey();
        vanishInside(key, "wire_money");

        assertThatExceptionOfType(StepInDoubtException.class)
                .isThrownBy(() -> call(
                        key,
                        () -> STEPS.step("wire_money")
                                .onAbandoned(OnAbandoned.HOLD)
                                .run(String.class, WorkflowContract::never)))
                .withMessageContaining("'wire_money'");

        assertThat(state(identity(key))).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    default void aStepThatCanBeLookedUpIsLookedUpWhenItsAttemptVanishedInside() {
        String key = newKey();
        vanishInside(key, "charge_card");
        assertThatFails(key, () -> {
            STEPS.step("charge_card").runChecked(String.class, step -> Optional.of("found"), WorkflowContract::never);
            throw new Planted();
        });

        assertThat(call(
                        key,
                        () -> STEPS.step("charge_card")
                                .runChecked(String.class, WorkflowContract::never, WorkflowContract::never)))
                .isEqualTo("found");
    }

    private void vanishInside(String key, String step) {
        Claim vanishing = granted(abandonedRequest(identity(key), OnAbandoned.RETRY));
        StepRecord begun = new StepRecord(
                StepIdentity.of(step, null), StepState.RUNNING, Fingerprint.none(), vanishing.attempt(), null);
        ((StepStore) store()).recordStep(vanishing, begun);
        awaitEndOfLease(identity(key));
    }

    private void assertThatFails(String key, IdempotentWork<String, RuntimeException> work) {
        assertThatExceptionOfType(Planted.class).isThrownBy(() -> call(key, work));
    }

    private String call(String key, IdempotentWork<String, RuntimeException> work) {
        try (IdempotencyTemplate engine = engine(store())) {
            return call(engine, key, work);
        }
    }

    private static String call(IdempotencyTemplate engine, String key, IdempotentWork<String, RuntimeException> work) {
        return engine.operation("workflow")
                .key(key)
                .fingerprint(ASKED)
                .execute(String.class, work)
                .value();
    }

    private static IdempotencyTemplate engine(IdempotencyStore store) {
        return new IdempotencyTemplate(
                store,
                CODECS,
                new EngineSettings("workflows", Duration.ofSeconds(30), 0),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
    }

    /** Its claims may be taken over as soon as they are granted, and their holders do not know. */
    private IdempotencyStore withLeasesThatAreOver() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                WorkflowContract.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class, StepStore.class},
                (proxy, verb, arguments) -> {
                    try {
                        return verb.getName().equals("claim")
                                ? claimForAMoment((ClaimRequest) arguments[0])
                                : verb.invoke(store(), arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }

    private ClaimOutcome claimForAMoment(ClaimRequest request) {
        ClaimOutcome.Granted granted = grant(new ClaimRequest(
                request.identity(),
                request.fingerprint(),
                request.owner(),
                TINY_LEASE,
                request.lifetime(),
                request.onAbandoned()));
        Claim claim = granted.claim();
        return new ClaimOutcome.Granted(
                new Claim(claim.identity(), claim.owner(), claim.attempt(), request.lease()),
                granted.takeover(),
                granted.steps());
    }

    private static Identity identity(String key) {
        return new IdempotencyKey("workflow", null, key).identity("workflows");
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }

    private static <T> T never(StepContext step) {
        throw new AssertionError("The step must not run: " + step.name());
    }

    /** What a test lets work throw. */
    final class Planted extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
