package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class H2PageTests extends PageStories implements OnH2 {

    @Test
    void anOrderWhoseWorkerWasKilledIsFinishedHere() {
        page().play("worker");

        assertThat(page().ledger()).isEqualTo(ONCE);
        assertThat(page().sent()).anyMatch(line -> line.endsWith("was killed in create_account (exit value 137)"));
        assertThat(page().timeline("checkout")).contains("TAKEN_OVER", "RECORDED");
        assertThat(page().timeline("order"))
                .containsSubsequence("TAKEN_OVER", "STEP_SKIPPED", "STEP_RECORDED", "STEP_RECORDED", "RECORDED");
    }
}
