package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.OnAbandoned;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listeners are told of steps. */
@Timeout(60)
class StepEventTests {

    private final Workshop workshop = new Workshop();

    private final IdempotentSteps steps = workshop.steps();

    @AfterEach
    void close() {
        workshop.close();
    }

    @Test
    void eachStepIsToldWithItsAttemptAndWhatBecameOfIt() {
        workshop.fails(() -> orderWhoseMailIs(false));
        workshop.succeeds(() -> orderWhoseMailIs(true));

        assertThat(workshop.told())
                .containsExactly(
                        "1 started charge",
                        "1 recorded charge",
                        "1 started mail",
                        "1 failed mail",
                        "2 skipped charge",
                        "2 started mail",
                        "2 recorded mail");
    }

    @Test
    void aStepThatIsMarkedFirstIsRecordedOnce() {
        workshop.succeeds(() -> steps.step("wire").onAbandoned(OnAbandoned.HOLD).run(String.class, step -> "wired"));

        assertThat(workshop.told()).containsExactly("1 started wire", "1 recorded wire");
    }

    @Test
    void aStepThatIsFoundToBeDoneIsRecorded() {
        workshop.vanishes(() -> steps.step("wire").runChecked(String.class, step -> Optional.empty(), step -> {
            throw workshop.vanishing();
        }));
        workshop.succeeds(
                () -> steps.step("wire").runChecked(String.class, step -> Optional.of("found"), step -> "never"));

        assertThat(workshop.told())
                .containsExactly("1 started wire", "1 failed wire", "2 started wire", "2 recorded wire");
    }

    @Test
    void aStepThatIsRefusedHasFailed() {
        workshop.fails(() -> {
            steps.run("charge", String.class, step -> "charged");
            throw new IllegalStateException("planted");
        });
        workshop.fails(() ->
                steps.step("charge").arguments(Fingerprint.of("other")).run(String.class, step -> "charged again"));

        assertThat(workshop.told()).endsWith("2 skipped charge", "2 failed charge");
    }

    private String orderWhoseMailIs(boolean sent) {
        steps.run("charge", String.class, step -> "charged");
        return steps.run("mail", String.class, step -> {
            if (!sent) {
                throw new IllegalStateException("planted");
            }
            return "sent";
        });
    }
}
