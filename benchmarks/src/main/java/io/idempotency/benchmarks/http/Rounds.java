package io.idempotency.benchmarks.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The rounds of one fork: in each all candidates were measured, one right after the other. */
final class Rounds {

    private final List<Map<Candidate, Measurement>> rounds = new ArrayList<>();

    void add(Map<Candidate, Measurement> round) {
        rounds.add(new EnumMap<>(round));
    }

    /** Returns the throughput of a candidate as a part of that of another in the same round, for all rounds. */
    List<Double> ratios(Candidate candidate, Candidate reference) {
        return rounds.stream()
                .map(round -> round.get(candidate).requestsPerSecond()
                        / round.get(reference).requestsPerSecond())
                .toList();
    }

    List<Double> values(Candidate candidate, ToDoubleFunction<Measurement> value) {
        return rounds.stream()
                .map(round -> value.applyAsDouble(round.get(candidate)))
                .toList();
    }
}
