package io.idempotency.benchmarks.http;

/** What is measured in each round. */
enum Candidate {

    /** The unprotected handler of an application without the starter. */
    WITHOUT_STARTER("unprotected, without the starter"),

    /** The same in another JVM: what differs between these two is noise. */
    WITHOUT_STARTER_AGAIN("the same in another JVM"),

    /** The unprotected handler of the application with the starter, in a JVM that answers nothing else. */
    UNPROTECTED("unprotected, with the starter"),

    /** The same in the JVM of the protected handler, whose records the garbage collector of both has to copy. */
    UNPROTECTED_BESIDE("the same, beside the protected handler"),

    /** The protected handler, each request with a key of its own. */
    PROTECTED("protected, first requests"),

    /** The protected handler, always with the same keys. */
    REPLAYED("protected, replays");

    final String label;

    Candidate(String label) {
        this.label = label;
    }

    /** Returns the unprotected handler that this one is compared with: a protected handler with that of its own JVM. */
    Candidate reference() {
        return isProtected() ? UNPROTECTED_BESIDE : UNPROTECTED;
    }

    boolean isProtected() {
        return this == PROTECTED || this == REPLAYED;
    }
}
