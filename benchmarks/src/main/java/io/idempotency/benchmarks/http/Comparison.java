package io.idempotency.benchmarks.http;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the rounds of all forks say. */
final class Comparison {

    /** What a protected handler must keep of the throughput of an unprotected one. */
    private static final double KEPT = 0.85;

    /** Equal applications are never measured equal: from here on a difference is one. */
    private static final double LEAST_NOISE = 0.01;

    /** Where equal applications differ by more, nothing can be told. */
    private static final double MOST_NOISE = 0.08;

    private final List<Rounds> forks;

    Comparison(List<Rounds> forks) {
        this.forks = forks;
    }

    void print(PrintStream out) {
        out.println();
        out.println("| over HTTP | requests/s | of the unprotected, quartiles | µs of the server's processors each |");
        out.println("|---|---:|---:|---:|");
        for (Candidate candidate : Candidate.values()) {
            Spread kept = ratio(candidate, candidate.reference());
            out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.3f (%.3f to %.3f) | %.1f |%n",
                    candidate.label,
                    median(candidate, Measurement::requestsPerSecond),
                    kept.median(),
                    kept.lowerQuartile(),
                    kept.upperQuartile(),
                    median(candidate, Measurement::microsPerRequest));
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "Unprotected, with the starter: %.3f of the throughput without it; equal applications differ by %.3f: %s%n",
                withStarter(),
                noise(),
                word(isTooNoisy(), isFreeOfCost()));
        out.printf(
                Locale.ROOT,
                "Protected: %.3f of the throughput of the unprotected, %.2f demanded: %s%n",
                keptByProtected(),
                KEPT,
                word(false, isQuickEnough()));
    }

    private static String word(boolean unknown, boolean passed) {
        if (unknown) {
            return "CANNOT TELL";
        }
        return passed ? "PASSED" : "FAILED";
    }

    int verdict() {
        if (isTooNoisy()) {
            return 2;
        }
        return isFreeOfCost() && isQuickEnough() ? 0 : 1;
    }

    private boolean isTooNoisy() {
        return noise() > MOST_NOISE;
    }

    /** The starter may cost what lies between two equal applications, since that cannot be told from nothing. */
    private boolean isFreeOfCost() {
        return withStarter() >= 1 - noise();
    }

    private boolean isQuickEnough() {
        return keptByProtected() >= KEPT;
    }

    private double withStarter() {
        return median(Candidate.UNPROTECTED, Candidate.WITHOUT_STARTER);
    }

    private double keptByProtected() {
        return median(Candidate.PROTECTED, Candidate.PROTECTED.reference());
    }

    /** Returns by how much two JVMs of the same application differed in that fork in which they differed most. */
    private double noise() {
        return forks.stream()
                .map(fork -> Spread.of(fork.ratios(Candidate.WITHOUT_STARTER_AGAIN, Candidate.WITHOUT_STARTER)))
                .mapToDouble(ratio -> Math.abs(1 - ratio.median()))
                .reduce(LEAST_NOISE, Math::max);
    }

    private double median(Candidate candidate, Candidate reference) {
        return ratio(candidate, reference).median();
    }

    private Spread ratio(Candidate candidate, Candidate reference) {
        return Spread.of(forks.stream()
                .flatMap(fork -> fork.ratios(candidate, reference).stream())
                .toList());
    }

    private double median(Candidate candidate, ToDoubleFunction<Measurement> value) {
        return Spread.of(forks.stream()
                        .flatMap(fork -> fork.values(candidate, value).stream())
                        .toList())
                .median();
    }
}
