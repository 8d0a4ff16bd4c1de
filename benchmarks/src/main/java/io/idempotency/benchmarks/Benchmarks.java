package io.idempotency.benchmarks;

import io.idempotency.benchmarks.http.HttpComparison;
import io.idempotency.benchmarks.store.StoreVerbs;

/** Runs one of the benchmarks and ends with its verdict: 0 passed, 1 failed, 2 the machine was too busy to tell. */
public final class Benchmarks {

    private Benchmarks() {}

    /**
     * Runs a benchmark.
     *
     * @param args what is measured, {@code http} or {@code stores}, and how long, {@code quick} or {@code full}
     */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("Say what is measured, http or stores, and how long, quick or full");
        }
        boolean quick = args[1].equals("quick");
        int verdict = switch (args[0]) {
            case "http" -> HttpComparison.run(quick);
            case "stores" -> StoreVerbs.run(quick);
            default -> throw new IllegalArgumentException("There is no benchmark %s: http, stores".formatted(args[0]));
        };
        System.exit(verdict);
    }
}
