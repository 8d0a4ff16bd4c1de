package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.Identity;
import io.idempotency.core.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Nodes sweep while others are at the same records. */
@Tag("faults")
class JdbcSweepUnderLoadTests {

    private static final Logger logger = LoggerFactory.getLogger(JdbcSweepUnderLoadTests.class);

    private static final int SHORT_FORM = 5_000;

    /** The long form has 200,000. */
    private static final int LONG_FORM = Integer.getInteger("idempotency.sweep.expired", SHORT_FORM);

    private static final int CLAIMED_ANEW = SHORT_FORM / 10;

    private static final int CALLERS = 20;

    /** No claim is abandoned while it lasts. */
    private static final Duration WHOLE_TEST = Duration.ofMinutes(30);

    private static final int BATCH = 1_000;

    private static final JdbcStoreSettings SETTINGS = new JdbcStoreSettings("idempotency_", 10, Duration.ofSeconds(30));

    @ParameterizedTest
    @MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void twoNodesSweepWhileOthersClaimTheVerySameKeys(TestDatabase.Product product) throws Exception {
        try (TestDatabase database = product.open();
                JdbcIdempotencyStore one = database.openStore(database.application(), SETTINGS);
                JdbcIdempotencyStore other = database.openStore(database.application(), SETTINGS)) {
            // Records that are deleted one by one take too long for the long form.
            int number = product == TestDatabase.Product.GENERIC ? SHORT_FORM : LONG_FORM;
            List<Identity> expired = identities(number);
            database.insertExpired(expired);
            List<Identity> kept = identities(100);
            kept.subList(0, 50).forEach(identity -> Claims.granted(one, identity));
            kept.subList(50, 100).forEach(identity -> one.hold(Claims.granted(one, identity)));
            database.analyze();

            Swept swept = sweepAndClaim(List.of(one, other), expired);

            assertThat(swept.byTheSweepers()).isBetween(number - swept.claims().size(), number);
            assertThat(swept.claims()).isNotEmpty();
            swept.claims()
                    .forEach((identity, end) -> assertThat(one.find(identity)).hasValueSatisfying(found -> {
                        assertThat(found.state()).isEqualTo(end.state());
                        assertThat(found.attempt()).isEqualTo(end.attempt());
                    }));
            assertThat(kept)
                    .allSatisfy(identity -> assertThat(one.find(identity)).isPresent());
            assertThat(database.records()).isEqualTo(swept.claims().size() + kept.size());
        }
    }

    @ParameterizedTest
    @MethodSource("io.idempotency.store.jdbc.TestDatabase#productsThatSweepAroundLocks")
    @Timeout(60)
    void aLockedRecordIsLeftAndTheOthersAreDeleted(TestDatabase.Product product) {
        try (TestDatabase database = product.open();
                JdbcIdempotencyStore store = database.openStore()) {
            Identity locked = Claims.newIdentity();
            database.insertExpired(List.of(locked));
            database.insertExpired(5);

            database.transactions().executeWithoutResult(status -> {
                database.jdbc().queryForList("SELECT state FROM idempotency_record WHERE id = ? FOR UPDATE", (Object)
                        locked.digest());
                assertThat(store.sweep(100)).isEqualTo(5);
            });

            assertThat(store.sweep(100)).isEqualTo(1);
        }
    }

    private static List<Identity> identities(int number) {
        return Stream.generate(Claims::newIdentity).limit(number).toList();
    }

    private record Swept(int byTheSweepers, Map<Identity, IdempotencyRecord> claims) {}

    /** Lets each node sweep once, and callers claim until both have nothing left to delete. */
    private static Swept sweepAndClaim(List<JdbcIdempotencyStore> nodes, List<Identity> expired) throws Exception {
        AtomicInteger sweeping = new AtomicInteger(nodes.size());
        AtomicInteger deleted = new AtomicInteger();
        Map<Identity, IdempotencyRecord> claims = new ConcurrentHashMap<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (JdbcIdempotencyStore node : nodes) {
            work.add(() -> {
                try {
                    deleted.addAndGet(sweep(node));
                } finally {
                    sweeping.decrementAndGet();
                }
                return null;
            });
        }
        for (int caller = 0; caller < CALLERS; caller++) {
            JdbcIdempotencyStore node = nodes.get(caller % nodes.size());
            work.add(() -> {
                do {
                    claim(node, expired.get(ThreadLocalRandom.current().nextInt(CLAIMED_ANEW)), claims);
                    claim(node, Claims.newIdentity(), claims);
                } while (sweeping.get() > 0);
                return null;
            });
        }
        ExecutorService executor = Executors.newFixedThreadPool(work.size());
        try {
            for (Future<Void> end : executor.invokeAll(work)) {
                end.get();
            }
        } finally {
            executor.shutdownNow();
        }
        // What was locked when its batch passed by is for the next sweep.
        return new Swept(deleted.get() + sweep(nodes.get(0)), claims);
    }

    private static int sweep(JdbcIdempotencyStore node) {
        long start = System.nanoTime();
        int deleted = 0;
        int batch;
        do {
            batch = node.sweep(BATCH);
            deleted += batch;
        } while (batch > 0);
        logger.info("Swept {} records in {}", deleted, Duration.ofNanos(System.nanoTime() - start));
        return deleted;
    }

    /** Claims, and leaves the claim running or completes it. */
    private static void claim(JdbcIdempotencyStore node, Identity identity, Map<Identity, IdempotencyRecord> claims) {
        if (node.claim(Claims.request(identity, WHOLE_TEST)) instanceof ClaimOutcome.Granted granted) {
            Claim claim = granted.claim();
            boolean completed = ThreadLocalRandom.current().nextBoolean();
            if (completed) {
                node.complete(claim, Claims.OUTCOME, Claims.RETENTION);
            }
            RecordState state = completed ? RecordState.COMPLETED : RecordState.IN_PROGRESS;
            IdempotencyRecord before =
                    claims.put(identity, new IdempotencyRecord(identity, state, claim.attempt(), Duration.ZERO));
            assertThat(before).as("another claim of the same identity").isNull();
        }
    }
}
