package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.Ownership;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepRecord;
import io.idempotency.testsupport.CapturedLog;
import io.idempotency.testsupport.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** What a user of the server must be allowed. */
class RedisUserTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome ENDED = Outcome.tombstone("ended");

    /** What the store itself sends, for the documentation. */
    static final String COMMANDS = "+eval +evalsha +time +exists +hget +hset +hdel +hgetall +pexpire +persist +pttl";

    private final RedisProcess server = RedisProcess.start();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void theScriptsAndTheirCommandsOnTheKeysOfTheStoreAreEnoughForEveryVerb() {
        try (TestRedis redis = connected(COMMANDS + " +info")) {
            assertThatEveryVerbWorks(redis.store);
        }
    }

    static void assertThatEveryVerbWorks(RedisIdempotencyStore store) {
        try (CapturedLog log = new CapturedLog(EvictionPolicy.class.getName(), "DEBUG")) {
            store.warnings();
            assertThat(log.lines()).isEmpty();
        }
        Identity identity = TestRedis.newIdentity();
        Claim claim = granted(store, identity);
        StepRecord step = TestRedis.running("charge", claim);
        assertThat(store.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);
        assertThat(store.recordStep(claim, step)).isEqualTo(Ownership.OWNED);
        assertThat(store.hold(claim)).isEqualTo(Ownership.OWNED);
        assertThat(store.resolveStep(identity, 1, step.step(), ENDED)).isTrue();
        assertThat(store.resolve(identity, 1, new Resolution.Retry(RETENTION))).isTrue();
        Claim next = granted(store, identity);
        assertThat(store.forgetStep(next, step.step())).isEqualTo(Ownership.OWNED);
        assertThat(store.release(next, RETENTION)).isEqualTo(Ownership.OWNED);
        assertThat(store.complete(granted(store, identity), ENDED, RETENTION)).isEqualTo(Ownership.OWNED);
        assertThat(store.find(identity)).isPresent();
        assertThat(store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    private static Claim granted(RedisIdempotencyStore store, Identity identity) {
        return ((ClaimOutcome.Granted) store.claim(TestRedis.request(identity))).claim();
    }

    @Test
    void aUserWithoutScriptsIsAFailureAndNothingIsGranted() {
        try (TestRedis redis = connected("+@all -eval -evalsha")) {
            assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(() -> redis.store.claim(TestRedis.request(TestRedis.newIdentity())))
                    .withStackTraceContaining("NOPERM");
        }
    }

    private TestRedis connected(String commands) {
        allow(server, commands);
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());
        address.setUsername("limited");
        address.setPassword("secret");
        return new TestRedis(RedisTopology.started(address, LettuceClientConfiguration.defaultConfiguration()));
    }

    /** Makes the user "limited", or another of it. */
    static void allow(RedisProcess server, String commands) {
        server.ask(Stream.concat(
                        Stream.of("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~" + TestRedis.PREFIX + "*"),
                        Stream.of(commands.split(" ")))
                .toArray(String[]::new));
    }
}
