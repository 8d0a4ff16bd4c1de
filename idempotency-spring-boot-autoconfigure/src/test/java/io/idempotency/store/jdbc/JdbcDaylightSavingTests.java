package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import io.idempotency.core.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The clocks of the sessions are set forward or back while a lease runs. One store has sessions in a zone where that will
 * happen before the lease is over, the other in a zone where it has just happened: by such a clock the lease would last an
 * hour less or more.
 */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcDaylightSavingTests {

    private static final Duration UNTIL_CHANGE = Duration.ofMinutes(10);

    private static final Duration LEASE = Duration.ofMinutes(20);

    /** Far more than a busy machine needs. */
    private static final Duration ASKED_AT_THE_LATEST = Duration.ofMinutes(5);

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private HikariDataSource sessionsBefore;

    private HikariDataSource sessionsAfter;

    private JdbcIdempotencyStore before;

    private JdbcIdempotencyStore after;

    private final Identity identity = Claims.newIdentity();

    @AfterEach
    void close() {
        before.close();
        after.close();
        sessionsBefore.close();
        sessionsAfter.close();
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseIsAsLongAsItWasToBe(ZoneWithChange.Direction direction) {
        open(direction);

        Claim claim = Claims.granted(before, Claims.request(identity, LEASE));
        assertThatTheLeaseRuns();

        assertThat(after.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);
        assertThatTheLeaseRuns();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsOverIsOverAndTheRestIsKept(ZoneWithChange.Direction direction) {
        open(direction);
        Identity kept = Claims.newIdentity();
        Identity expired = Claims.newIdentity();
        before.complete(Claims.granted(before, kept), Claims.OUTCOME, LEASE);
        before.complete(Claims.granted(before, expired), Claims.OUTCOME, Duration.ofMillis(1));
        Claims.granted(before, Claims.request(identity, Duration.ofMillis(1)));

        await().untilAsserted(() -> assertThat(after.find(expired)).isEmpty());
        assertThat(after.sweep(10)).isOne();
        assertThat(after.claim(Claims.request(kept))).isInstanceOf(ClaimOutcome.Completed.class);
        await().untilAsserted(() -> assertThat(after.claim(Claims.request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Granted.class,
                        granted -> assertThat(granted.takeover()).isTrue()));
    }

    private void open(ZoneWithChange.Direction direction) {
        database = product.open();
        sessionsBefore = sessionsIn(new ZoneWithChange(direction, UNTIL_CHANGE));
        sessionsAfter = sessionsIn(new ZoneWithChange(direction, UNTIL_CHANGE.negated()));
        before = database.openStore(sessionsBefore, TestDatabase.SETTINGS);
        after = database.openStore(sessionsAfter, TestDatabase.SETTINGS);
    }

    private HikariDataSource sessionsIn(ZoneWithChange zone) {
        HikariConfig configuration = database.configuration();
        configuration.setConnectionInitSql(zone.useIn(database));
        return new HikariDataSource(configuration);
    }

    private void assertThatTheLeaseRuns() {
        assertThat(List.of(before, after)).allSatisfy(store -> {
            assertThat(store.find(identity).orElseThrow().remainingLease())
                    .isBetween(LEASE.minus(ASKED_AT_THE_LATEST), LEASE);
            assertThat(store.claim(Claims.request(identity)))
                    .isInstanceOfSatisfying(
                            ClaimOutcome.InProgress.class,
                            answer -> assertThat(answer.remainingLease())
                                    .isBetween(LEASE.minus(ASKED_AT_THE_LATEST), LEASE));
        });
    }
}
