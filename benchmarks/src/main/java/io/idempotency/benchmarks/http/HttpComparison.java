package io.idempotency.benchmarks.http;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares throughput over HTTP, and says whether an unprotected handler is as fast with the starter as without it, and
 * whether a protected one keeps enough of the throughput of an unprotected one.
 */
public final class HttpComparison {

    private HttpComparison() {}

    /**
     * Measures and prints a table and the verdicts.
     *
     * @return 0 where both passed, 1 where one failed, 2 where the machine was too busy to tell
     */
    public static int run(boolean quick) throws Exception {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        PrintStream out = System.out;
        List<Rounds> forks = new ArrayList<>();
        for (int fork = 1; fork <= effort.forks(); fork++) {
            out.printf("Fork %d of %d%n", fork, effort.forks());
            try (Fork servers = Fork.start()) {
                forks.add(servers.run(effort));
            }
        }
        Comparison comparison = new Comparison(forks);
        comparison.print(out);
        return comparison.verdict();
    }
}
