package io.idempotency.store.memory;

import io.idempotency.core.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What expires within the same tenth of a second. It can be added to until it is closed, without a lock: nearly all calls of an
 * application that end now add to the same step. Everything else is for the holder of the lock of {@link Expiries}.
 */
final class ExpiryStep {

    private static final long MILLIS = 100;

    private final long number;

    private final AtomicReference<@Nullable Entry> newest = new AtomicReference<>();

    private static final class Entry {

        /** Stands in the place of all entries of a step that is closed. */
        static final Entry CLOSED = new Entry(Identity.ofDigest("closed", new byte[Identity.DIGEST_LENGTH]), null);

        private final Identity identity;

        /** Set by who adds, before the entry can be seen; from then on read and changed under the lock of Expiries only. */
        private @Nullable Entry earlier;

        Entry(Identity identity, @Nullable Entry earlier) {
            this.identity = identity;
            this.earlier = earlier;
        }
    }

    /** @param number counts the tenths of a second of the store's clock */
    ExpiryStep(long number) {
        this.number = number;
    }

    /** Returns the number of the step of a time in milliseconds. */
    static long number(long millis) {
        return Math.floorDiv(millis, MILLIS);
    }

    long number() {
        return number;
    }

    /** Returns the first millisecond after this step. */
    long end() {
        return (number + 1) * MILLIS;
    }

    /** Returns whether it was added: nothing is once the step is closed. */
    boolean add(Identity identity) {
        return newest.updateAndGet(before -> before == Entry.CLOSED ? before : new Entry(identity, before))
                != Entry.CLOSED;
    }

    /** Removes it, if it is here. Costs a search through all that is here. */
    void remove(Identity identity) {
        Entry first = newest.get();
        if (first == null) {
            return;
        }
        if (first.identity.equals(identity) && newest.compareAndSet(first, first.earlier)) {
            return;
        }
        // What is added meanwhile comes before all that is here.
        for (Entry entry = newest.get(); entry != null; entry = entry.earlier) {
            Entry next = entry.earlier;
            if (next != null && next.identity.equals(identity)) {
                entry.earlier = next.earlier;
                return;
            }
        }
    }

    /** Closes the step if nothing is left in it, and returns whether it did. */
    boolean closeIfEmpty() {
        return newest.compareAndSet(null, Entry.CLOSED);
    }

    /** Closes the step and returns what was in it. */
    List<Identity> close() {
        return list(newest.getAndSet(Entry.CLOSED));
    }

    /** Returns what is in the step. */
    List<Identity> identities() {
        return list(newest.get());
    }

    private static List<Identity> list(@Nullable Entry newest) {
        List<Identity> identities = new ArrayList<>();
        for (Entry entry = newest; entry != null; entry = entry.earlier) {
            identities.add(entry.identity);
        }
        return identities;
    }
}
