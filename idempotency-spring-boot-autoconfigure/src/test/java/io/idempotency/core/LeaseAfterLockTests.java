package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** The holder's view of a lease that was a lock meanwhile: when it ends, and when it is renewed. */
class LeaseAfterLockTests extends WithALockedRecord {

    @Test
    void whatIsCommittedStartsTheLeaseAnewWhenItsRecordWasSent() {
        store.whileRecording = () -> pass(7);

        step(() -> pass(100));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 7);
        assertThat(lease.isLost()).isFalse();
        assertThat(store.renewals).isZero();
    }

    @Test
    void aRollbackLeavesTheLeaseAsItWas() {
        fails(() -> pass(3));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 3);
        assertThat(store.renewals).isZero();
    }

    @Test
    void aLeaseThatIsDueAfterARollbackIsRenewedAtOnce() {
        fails(() -> pass(100));

        assertThat(store.renewals).isEqualTo(1);
        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
        assertThat(lease.isLost()).isFalse();
        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aCommitThatFailedStartsNoLeaseAnew() {
        transaction.failToCommit(new IllegalStateException("planted"), SurroundingTransaction.End.UNKNOWN);

        assertThatIllegalStateException().isThrownBy(() -> step(() -> pass(5)));

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds() - 5);
    }

    @Test
    void aRenewalThatFindsTheRecordLockedDoesNotPutOffTheNextOne() {
        fails(() -> {
            pass(29);
            // What was sent before the lock is answered now.
            lease.renewalMissed(now);
        });

        assertThat(store.renewals).isEqualTo(1);
        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
    }

    @Test
    void anAnswerThatArrivesLateShortensNoLease() {
        step(() -> pass(100));

        lease.renewed(0);

        assertThat(secondsLeft()).isEqualTo(LEASE.toSeconds());
    }

    @Test
    void whatIsCommittedIsToldBeforeItsLeaseIsRenewed() {
        store.whileRecording = () -> pass(100);

        step(() -> {});

        assertThat(told).containsExactly("committed", "renewed");
    }

    @Test
    void aRenewalThatBreaksAfterTheCommitHidesNoResult() {
        store.whileRecording = () -> pass(100);
        store.broken = true;

        assertThat(step(() -> {})).isEqualTo("booked");

        assertThat(told).containsExactly("committed", "renewed");
        assertThat(transaction.events()).containsExactly("flushed", "committed");
    }
}
