package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class StepIdentityTests {

    private final StepIdentity step = StepIdentity.of("charge", "card 1");

    @Test
    void nameAndItemCount() {
        assertThat(step)
                .isEqualTo(StepIdentity.of("charge", "card 1"))
                .hasSameHashCodeAs(StepIdentity.of("charge", "card 1"))
                .isNotEqualTo(StepIdentity.of("refund", "card 1"))
                .isNotEqualTo(StepIdentity.of("charge", "card 2"))
                .isNotEqualTo(StepIdentity.of("charge", null));
        assertThat(StepIdentity.of("charge", null)).isNotEqualTo(StepIdentity.of("charge", ""));
    }

    @Test
    void itIsRestoredFromItsDigestOfWhichEveryByteCounts() {
        assertThat(StepIdentity.ofDigest("charge", step.digest())).isEqualTo(step);
        for (int index = 0; index < StepIdentity.DIGEST_LENGTH; index++) {
            byte[] digest = step.digest();
            digest[index] ^= 1;

            assertThat(StepIdentity.ofDigest("charge", digest)).isNotEqualTo(step);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> StepIdentity.ofDigest("charge", new byte[31]));
    }

    @Test
    void itsTextShowsTheNameAndNotTheItem() {
        assertThat(step)
                .hasToString("charge#" + HexFormat.of().formatHex(FramedDigest.sha256("charge", "card 1"), 0, 4));
    }

    /** Other systems know the step by it: it must never be another one. */
    @Test
    void itsKeyDoesNotChange() {
        assertThat(step.keyIn(Identity.of("shop", "order", "ada", "k")))
                .hasToString("96062a4b-68a0-8352-b6e1-13c4791472ec");
    }
}
