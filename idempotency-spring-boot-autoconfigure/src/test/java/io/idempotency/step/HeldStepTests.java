package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.StepInDoubtException;
import org.junit.jupiter.api.Test;

/** Steps that must not be repeated. */
class HeldStepTests extends InAWorkshop {

    private final StepWork<String, RuntimeException> wire = step -> run("wire");

    @Test
    void isMarkedBeforeItRuns() {
        workshop.succeeds(() -> held().run(String.class, wire));

        assertThat(workshop.writes()).isEqualTo(2);
    }

    @Test
    void isSkippedOnceItIsDone() {
        workshop.fails(() -> {
            held().run(String.class, wire);
            throw new IllegalStateException("planted");
        });

        assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
        assertThat(ran).containsExactly("wire");
    }

    @Test
    void holdsTheOperationWhenItFails() {
        workshop.fails(() -> held().run(String.class, step -> {
            run("wire");
            throw new IllegalStateException("no answer");
        }));

        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
        assertThat(ran).containsExactly("wire");
    }

    @Test
    void holdsTheOperationWhenItsAttemptVanishedInside() {
        workshop.vanishes(() -> held().run(String.class, step -> {
            run("wire");
            throw workshop.vanishing();
        }));

        assertThatExceptionOfType(StepInDoubtException.class)
                .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)))
                .withMessageContaining("'wire'");
        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
        assertThat(ran).containsExactly("wire");
    }

    @Test
    void runsAgainOnceAnOperatorHasFoundThatItWasNotDone() {
        workshop.fails(() -> held().run(String.class, step -> {
            throw new IllegalStateException("no answer");
        }));

        workshop.resolve();

        assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
    }

    @Test
    void isSkippedOnceAnOperatorHasGivenItsResult() {
        workshop.fails(() -> held().run(String.class, step -> {
            throw new IllegalStateException("no answer");
        }));

        workshop.resolveStep("wire", "found at the bank");
        workshop.resolve();

        assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("found at the bank");
        assertThat(ran).isEmpty();
    }

    @Test
    void leavesNoDoubtWhenItHadNoEffect() {
        workshop.fails(() -> held().run(String.class, step -> {
            step.hadNoEffect();
            throw new IllegalStateException("declined");
        }));

        assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
    }

    @Test
    void leavesNoDoubtWhenItCouldNotBeMarked() {
        workshop.failingToRecord(1);
        workshop.fails(() -> held().run(String.class, wire));
        assertThat(ran).isEmpty();

        assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
    }

    @Test
    void holdsTheOperationWhenItsResultCouldNotBeRecorded() {
        workshop.fails(() -> held().run(String.class, step -> {
            workshop.failingToRecord(1);
            return run("wire");
        }));

        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
        assertThat(ran).containsExactly("wire");
    }

    @Test
    void holdsTheOperationThoughSomethingThatHadNoEffectCameBefore() {
        workshop.fails(() -> held().run(String.class, step -> {
            step.hadNoEffect();
            workshop.failingToRecord(1);
            return run("wire");
        }));

        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
        assertThat(ran).containsExactly("wire");
    }

    private IdempotentSteps.StepSpec held() {
        return steps.step("wire").onAbandoned(OnAbandoned.HOLD);
    }
}
