package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class H2PageTests extends PageStories implements OnH2 {

    /** Without the tags: on this store it is part of every build. */
    @Test
    @Override
    void anOrderWhoseWorkerWasKilledIsFinishedHere() {
        super.anOrderWhoseWorkerWasKilledIsFinishedHere();
    }

    @Test
    @Tag("faults")
    @Tag("faults-long")
    void inRealTimeTheGatewayGivesUpAfterTenSecondsAndTheInvoiceTakesTwelve() {
        page().chooseRealTime();
        page().play("gateway");

        assertThat(page().ledger()).isEqualTo(ONCE);
        assertThat(page().isGood()).isTrue();
        assertThat(page().sent()).contains("delivered its event, attempt 1: no answer in time");
        assertThat(page().timeline("payment-webhook"))
                .containsOnlyOnce("STARTED")
                .containsAnyOf("REFUSED_IN_PROGRESS", "REPLAYED");
        // The event is not answered before its invoice is there, which the shop waits for.
        assertThat(page().secondsUntil("payment-webhook", "RECORDED")).isGreaterThanOrEqualTo(12);
    }
}
