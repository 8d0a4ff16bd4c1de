package io.idempotency.benchmarks.http;

/**
 * How much is measured. Counted in requests, so that a busy machine takes longer and measures no less.
 *
 * @param forks how often all applications are started anew: each JVM compiles the same code a little differently
 * @param warmUp how many requests each candidate answers before they count
 * @param rounds how many rounds each fork has
 * @param requests how many requests each candidate answers in a round: few, so that the machine is the same for all of them
 */
record Effort(int forks, int warmUp, int rounds, int requests) {

    /** After less warming up, compilers still take processors from what is measured. */
    static final Effort QUICK = new Effort(3, 100_000, 40, 2_000);

    static final Effort FULL = new Effort(10, 200_000, 60, 3_000);
}
