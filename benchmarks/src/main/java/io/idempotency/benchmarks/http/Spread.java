package io.idempotency.benchmarks.http;

import java.util.List;

/**
 * Where most of some values are. A round that the machine disturbed is far out, and moves neither the median nor the
 * quartiles.
 */
record Spread(double lowerQuartile, double median, double upperQuartile) {

    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    private static double quantile(List<Double> sorted, double part) {
        double position = part * (sorted.size() - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (position - below) * (sorted.get(above) - sorted.get(below));
    }
}
