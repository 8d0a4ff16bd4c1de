package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AskedStepsTests {

    private static final StepIdentity CHARGE = StepIdentity.of("charge", null);

    private static final StepIdentity SHIP = StepIdentity.of("ship", null);

    private final AskedSteps asked = new AskedSteps(Identity.of("shop", "order", null, "k"));

    @Test
    void aStepIsBegunOnce() {
        asked.begin(CHARGE);

        assertThatIllegalStateException()
                .isThrownBy(() -> asked.begin(CHARGE))
                .withMessageContaining("'charge' was asked for twice");
        assertThatNoException().isThrownBy(() -> asked.begin(SHIP));
    }

    @Test
    void aStepThatHasFailedMayBeBegunAgainOnce() {
        asked.begin(CHARGE);
        asked.failed(CHARGE);

        asked.begin(CHARGE);

        assertThatIllegalStateException().isThrownBy(() -> asked.begin(CHARGE));
    }

    @Test
    void withAStepFailWhatItsThreadHasBegunInside() {
        asked.begin(CHARGE);
        asked.begin(SHIP);

        asked.failed(CHARGE);

        assertThatNoException().isThrownBy(() -> asked.begin(SHIP));
    }

    @Test
    void withAStepFailsNothingThatItsThreadHasBegunBefore() {
        asked.begin(CHARGE);
        asked.begin(SHIP);

        asked.failed(SHIP);

        assertThatIllegalStateException().isThrownBy(() -> asked.begin(CHARGE));
    }

    @Test
    void withAStepFailsNothingThatAnotherThreadHasBegun() throws Exception {
        asked.begin(CHARGE);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(() -> asked.begin(SHIP)).get();
        } finally {
            other.shutdownNow();
        }

        asked.failed(CHARGE);

        assertThatIllegalStateException().isThrownBy(() -> asked.begin(SHIP));
    }

    @Test
    void aStepWhoseCommitNobodyKnowsIsNotBegunAgain() {
        asked.begin(CHARGE);
        asked.unknown(CHARGE);
        asked.failed(CHARGE);

        assertThatIllegalStateException()
                .isThrownBy(() -> asked.begin(CHARGE))
                .withMessageContaining("whether the transaction of step 'charge' was committed");
        asked.startOver();
        assertThatIllegalStateException().isThrownBy(() -> asked.begin(CHARGE));
    }

    @Test
    void aStepThatWasUndoneMayBeBegunAgain() {
        asked.begin(CHARGE);

        asked.undone(CHARGE);

        assertThatNoException().isThrownBy(() -> asked.begin(CHARGE));
    }

    @Test
    void whatStartsOverMayBeginEachStepAgain() {
        asked.begin(CHARGE);
        asked.begin(SHIP);

        asked.startOver();

        assertThatNoException().isThrownBy(() -> asked.begin(CHARGE));
        assertThatNoException().isThrownBy(() -> asked.begin(SHIP));
    }

    @Test
    void itRemembersWhatWasAskedForWhateverBecameOfIt() {
        asked.begin(CHARGE);
        asked.failed(CHARGE);

        assertThat(asked.contains(CHARGE)).isTrue();
        assertThat(asked.contains(SHIP)).isFalse();
    }
}
