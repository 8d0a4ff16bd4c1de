package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 3: a waiter registers before it reads; a recording wakes all, a release wakes one. */
@Timeout(10)
class WaitingRoomTests {

    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);

    private final Identity identity = Identity.of("shop", "pay", null, "k");

    private final WaitingRoom room = new WaitingRoom(2);

    @Test
    void aWakeUpBeforeTheWaitIsNotMissed() throws InterruptedException {
        try (WaitingRoom.Waiter waiter = room.enter(identity).orElseThrow()) {
            room.wakeAll(identity);

            waiter.await(LONG);
        }
    }

    @Test
    void aRecordingWakesAll() throws InterruptedException {
        try (WaitingRoom.Waiter first = room.enter(identity).orElseThrow();
                WaitingRoom.Waiter second = room.enter(identity).orElseThrow()) {
            room.wakeAll(identity);

            first.await(LONG);
            second.await(LONG);
        }
    }

    @Test
    void aReleaseWakesOne() throws InterruptedException {
        try (WaitingRoom.Waiter first = room.enter(identity).orElseThrow();
                WaitingRoom.Waiter second = room.enter(identity).orElseThrow()) {
            room.wakeOne(identity);

            first.await(LONG);
            assertThat(isWokenWithin(second, SHORT)).isFalse();
        }
    }

    @Test
    void twoReleasesWakeTwo() throws InterruptedException {
        try (WaitingRoom.Waiter first = room.enter(identity).orElseThrow();
                WaitingRoom.Waiter second = room.enter(identity).orElseThrow()) {
            room.wakeOne(identity);
            room.wakeOne(identity);

            first.await(LONG);
            second.await(LONG);
        }
    }

    @Test
    void aWaiterThatLeavesPassesItsWakeUpOn() throws InterruptedException {
        WaitingRoom.Waiter first = room.enter(identity).orElseThrow();
        try (WaitingRoom.Waiter second = room.enter(identity).orElseThrow()) {
            room.wakeOne(identity);
            first.close();

            second.await(LONG);
        }
    }

    @Test
    void nobodyIsWokenForAnotherIdentity() throws InterruptedException {
        try (WaitingRoom.Waiter waiter = room.enter(identity).orElseThrow()) {
            room.wakeAll(Identity.of("shop", "pay", null, "other"));

            assertThat(isWokenWithin(waiter, SHORT)).isFalse();
        }
    }

    @Test
    void seatsAreLimitedAndGivenBack() {
        WaitingRoom.Waiter first = room.enter(identity).orElseThrow();
        try (WaitingRoom.Waiter second = room.enter(identity).orElseThrow()) {
            assertThat(second).isNotNull();
            assertThat(room.enter(identity)).isEmpty();
            first.close();
            assertThat(room.enter(identity)).isPresent();
        }
    }

    private static boolean isWokenWithin(WaitingRoom.Waiter waiter, long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        waiter.await(nanos);
        return System.nanoTime() - begin < nanos;
    }
}
