package io.idempotency.benchmarks.store;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Ownership;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** A first execution, which claims and completes, and a replay, on servers of this machine. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreVerbs {

    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Short, so that the records in memory are forgotten while others come, and the heap stays as it is. */
    private static final Duration RETENTION = Duration.ofSeconds(1);

    private static final Fingerprint ASKED = Fingerprint.of("asked");

    private static final Outcome OUTCOME =
            new Outcome(Outcome.Kind.VALUE, "text/1", "{\"id\":1,\"state\":\"paid\"}".getBytes(StandardCharsets.UTF_8));

    private static final Identity RECORDED = identity();

    /** Where the records are. */
    @Param({"memory", "redis", "jdbc"})
    public String store = "";

    private @Nullable OpenedStore opened;

    /** Opens the store and records what will be replayed. */
    @Setup
    public void open() {
        opened = OpenedStore.of(store);
        complete(granted(RECORDED), Duration.ofDays(1));
    }

    /** Claims and completes what nobody has asked for before. */
    @Benchmark
    public Ownership firstExecution() {
        return complete(granted(identity()), RETENTION);
    }

    /** Claims what is completed. */
    @Benchmark
    public ClaimOutcome replay() {
        return store().claim(request(RECORDED));
    }

    private Claim granted(Identity identity) {
        return ((ClaimOutcome.Granted) store().claim(request(identity))).claim();
    }

    private Ownership complete(Claim claim, Duration retention) {
        return store().complete(claim, OUTCOME, retention);
    }

    private IdempotencyStore store() {
        return Objects.requireNonNull(opened).store();
    }

    private static ClaimRequest request(Identity identity) {
        return new ClaimRequest(identity, ASKED, OwnerToken.random(), LEASE, Duration.ofHours(1), OnAbandoned.RETRY);
    }

    private static Identity identity() {
        return Identity.of("benchmarks", "operation", null, UUID.randomUUID().toString());
    }

    /** Closes the store. */
    @TearDown
    public void close() {
        Objects.requireNonNull(opened).close();
    }

    /**
     * Measures and prints a table.
     *
     * @return 0: nothing is demanded
     */
    public static int run(boolean quick) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(StoreVerbs.class.getName())
                        .shouldFailOnError(true)
                        .jvmArgs("-Xms1g", "-Xmx1g")
                        .forks(quick ? 2 : 5)
                        .warmupIterations(2)
                        .warmupTime(TimeValue.seconds(quick ? 2 : 5))
                        .measurementIterations(quick ? 8 : 10)
                        .measurementTime(TimeValue.seconds(quick ? 1 : 5))
                        .build())
                .run();
        print(results, System.out);
        return 0;
    }

    private static void print(Collection<RunResult> results, PrintStream out) {
        out.println();
        out.println("| store | verb | µs each | 99.9 % confidence, ± µs | calls/s of one caller |");
        out.println("|---|---|---:|---:|---:|");
        for (RunResult result : results) {
            Result<?> micros = result.getPrimaryResult();
            out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %.1f | %.0f |%n",
                    result.getParams().getParam("store"),
                    micros.getLabel(),
                    micros.getScore(),
                    micros.getScoreError(),
                    TimeUnit.SECONDS.toMicros(1) / micros.getScore());
        }
    }
}
