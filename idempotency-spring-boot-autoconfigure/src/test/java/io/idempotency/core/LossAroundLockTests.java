package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which leases are lost, and told to be, around a lock of their record. */
class LossAroundLockTests extends WithALockedRecord {

    @Test
    void aLeaseThatPassedUnderALockAndCannotBeRenewedIsLost() {
        store.answer = Optional.empty();

        fails(() -> pass(100));

        assertThat(lease.isLost()).isTrue();
    }

    @Test
    void aClaimThatWasTakenOverAfterARollbackIsLostAtOnce() {
        store.answer = Optional.of(Renewal.LOST);

        fails(() -> pass(15));

        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
        assertThat(renewer.watched()).isZero();
    }

    @Test
    void aLockThatIsFoundLostIsToldAtOnce() {
        store.lock = RecordLock.LOST;

        assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> step(() -> pass(1)));

        assertThat(lease.isLost()).isTrue();
        assertThat(listener.events()).containsExactly("lost");
        assertThat(transaction.events()).containsExactly("rolled back");
    }

    @Test
    void aLockShowsThatALeaseThatPassedWasNotLost() {
        pass(100);
        assertThat(lease.isLost()).isTrue();

        step(() -> assertThat(lease.isLost()).isFalse());

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void everyLossIsToldAlsoOneAfterALockThatUndidTheFirst() {
        renewer.watch(lease);
        store.answer = Optional.empty();
        pass(100);
        renewer.renewDue();
        renewer.renewDue();
        step(() -> pass(1));
        assertThat(listener.events()).containsExactly("lost");

        pass(100);
        renewer.renewDue();
        renewer.renewDue();

        assertThat(listener.events()).containsExactly("lost", "lost");
    }

    @Test
    void aLossThatIsFoundWhileTheRecordIsBeingLockedIsNotTold() {
        renewer.watch(lease);
        pass(100);
        assertThat(lease.isLost()).isTrue();
        beforeTheClockIsRead = () -> {
            beforeTheClockIsRead = () -> {};
            lease.locked();
        };

        renewer.renewDue();
        lease.unlocked();

        assertThat(lease.isLost()).isFalse();
        assertThat(listener.events()).isEmpty();
    }

    @Test
    void aLockThatComesWhileAnotherThreadReadsTheClockIsNoLoss() {
        pass(29);
        beforeTheClockIsRead = () -> {
            beforeTheClockIsRead = () -> {};
            lease.locked();
            pass(100);
        };
        boolean lost = lease.isLost();
        lease.renewed(now);
        lease.unlocked();

        assertThat(lost).isFalse();
        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void whatTheStoreSaysStaysWhateverIsLocked() {
        lease.locked();
        lease.markLost();
        lease.unlocked();
        assertThat(lease.isLost()).isTrue();

        lease.locked();

        assertThat(lease.isLost()).isTrue();
    }

    @Test
    void aLockThatIsFoundLostIsToldAlsoWhereItsTransactionBreaks() {
        store.lock = RecordLock.LOST;
        transaction.failToRollBack(new IllegalStateException("planted"));

        assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> step(() -> pass(1)));

        assertThat(listener.events()).containsExactly("lost");
    }
}
