package io.idempotency.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for an order in which the events of one identity may have taken effect, one after the other, each between the
 * moment it was sent and the moment it was answered, so that the state table allows every answer. A request that failed
 * may be put anywhere after it was sent, or left out. If there is no such order, the store broke its promise.
 *
 * <p>The search is that of Wing and Gong, which tries all orders, and remembers the situations that it has been in as
 * Lowe proposed.
 *
 * @see <a href="https://doi.org/10.1006/jpdc.1993.1015">Wing and Gong, Testing and verifying concurrent objects</a>
 * @see <a href="https://doi.org/10.1002/cpe.3928">Lowe, Testing for linearizability</a>
 */
final class HistoryChecker {

    /** No history of ours comes near; a search that does is better told than waited for. */
    private static final int MOST_SITUATIONS = 5_000_000;

    private final List<HistoryEvent> events;

    private final int answered;

    private final Set<Situation> known = new HashSet<>();

    private final Deque<Situation> open = new ArrayDeque<>();

    private Situation furthest;

    private HistoryChecker(List<HistoryEvent> events) {
        this.events = events.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::answeredAt))
                .toList();
        this.answered = (int) events.stream().filter(HistoryEvent::isAnswered).count();
        this.furthest = new Situation(new BitSet(), RecordModel.NONE);
    }

    /**
     * Where a search is.
     *
     * @param done the events that have taken effect, by their index
     */
    private record Situation(BitSet done, RecordModel model) {}

    /**
     * Checks what was seen of one identity.
     *
     * @return why it is not allowed; empty if it is
     */
    static Optional<String> violation(List<HistoryEvent> events) {
        return new HistoryChecker(events).search();
    }

    private Optional<String> search() {
        enter(furthest);
        while (!open.isEmpty()) {
            Situation situation = open.pop();
            if (answeredIn(situation) > answeredIn(furthest)) {
                furthest = situation;
            }
            if (answeredIn(situation) == answered) {
                return Optional.empty();
            }
            leave(situation);
        }
        return Optional.of(explanation());
    }

    private int answeredIn(Situation situation) {
        return situation.done.get(0, answered).cardinality();
    }

    private void enter(Situation situation) {
        if (known.add(situation)) {
            if (known.size() > MOST_SITUATIONS) {
                throw new IllegalStateException("The history is too long to be checked");
            }
            open.push(situation);
        }
    }

    /** Tries every event that may come next; the one that was answered first is tried first. */
    private void leave(Situation situation) {
        List<Integer> candidates = candidates(situation);
        for (int index = candidates.size() - 1; index >= 0; index--) {
            int event = candidates.get(index);
            for (RecordModel next : situation.model.after(events.get(event))) {
                BitSet done = (BitSet) situation.done.clone();
                done.set(event);
                enter(new Situation(done, next));
            }
        }
    }

    /** An event may come next if no other was answered before it was sent that has not taken effect yet. */
    private List<Integer> candidates(Situation situation) {
        long firstAnswer = events.get(situation.done.nextClearBit(0)).answeredAt();
        List<Integer> candidates = new ArrayList<>();
        for (int index = 0; index < events.size(); index++) {
            if (!situation.done.get(index) && events.get(index).sentAt() <= firstAnswer) {
                candidates.add(index);
            }
        }
        return candidates;
    }

    private String explanation() {
        String next = candidates(furthest).stream()
                .map(index -> "  " + events.get(index))
                .collect(Collectors.joining("\n"));
        String before = furthest.done.stream()
                .skip(Math.max(0, furthest.done.cardinality() - 5))
                .mapToObj(index -> "  " + events.get(index))
                .collect(Collectors.joining("\n"));
        return "After %d of %d answers, among the last of which are\n%s\nthe record is\n  %s\nwhich allows none of\n%s"
                .formatted(answeredIn(furthest), answered, before, furthest.model, next);
    }
}
