package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases and retention on the clock of the database. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcClockTests {

    private static final Duration LEASE = Duration.ofMillis(300);

    private static final Duration TOLERANCE = Duration.ofMillis(10);

    private static final int ROUNDS = 20;

    private final TimeZone zone = TimeZone.getDefault();

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private JdbcIdempotencyStore store;

    @BeforeEach
    void open() {
        database = product.open();
        store = database.openStore();
    }

    @AfterEach
    void close() {
        TimeZone.setDefault(zone);
        store.close();
        database.close();
    }

    @Test
    void aLeaseOfAFractionOfASecondIsNeitherCutNorRoundedUp() {
        Map<Identity, Round> rounds = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            Identity identity = Claims.newIdentity();
            long sentAt = System.nanoTime();
            Claims.granted(store, Claims.request(identity, LEASE));
            rounds.put(identity, new Round(sentAt, System.nanoTime()));
        }

        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    rounds.entrySet().removeIf(entry -> isTakenOver(entry.getKey(), entry.getValue()));
                    return rounds.isEmpty();
                });
    }

    @Test
    void theTimeZoneOfTheJvmDoesNotMatter() {
        Identity running = Claims.newIdentity();
        Identity ended = Claims.newIdentity();
        Claim claim = Claims.granted(store, running);
        Claims.complete(store, ended);

        Stream.of("Etc/GMT-3", "Etc/GMT+8", "America/New_York").forEach(id -> {
            TimeZone.setDefault(TimeZone.getTimeZone(id));
            try (JdbcIdempotencyStore elsewhere = database.openStore()) {
                assertThat(elsewhere.claim(Claims.request(running)))
                        .isInstanceOfSatisfying(
                                ClaimOutcome.InProgress.class,
                                inProgress -> assertThat(inProgress.remainingLease())
                                        .isBetween(Claims.LEASE.dividedBy(2), Claims.LEASE));
                assertThat(elsewhere.claim(Claims.request(ended))).isInstanceOf(ClaimOutcome.Completed.class);
                assertThat(elsewhere.find(running).orElseThrow().attempt()).isEqualTo(claim.attempt());
            }
        });
    }

    /** Claims once more, and compares the answer with the time that has passed. */
    private boolean isTakenOver(Identity identity, Round round) {
        long askedAt = System.nanoTime();
        boolean granted = store.claim(Claims.request(identity, LEASE)) instanceof ClaimOutcome.Granted;
        long answeredAt = System.nanoTime();
        if (granted) {
            assertThat(Duration.ofNanos(answeredAt - round.sentAt())).isGreaterThan(LEASE.minus(TOLERANCE));
        } else {
            assertThat(Duration.ofNanos(askedAt - round.answeredAt())).isLessThan(LEASE.plus(TOLERANCE));
        }
        return granted;
    }

    private record Round(long sentAt, long answeredAt) {}
}
