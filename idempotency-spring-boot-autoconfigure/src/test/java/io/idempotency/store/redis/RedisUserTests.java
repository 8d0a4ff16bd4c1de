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

    private final RedisProcess server = RedisProcess.start();

    private final Identity identity = TestRedis.newIdentity();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void theScriptsAndTheirCommandsOnTheKeysOfTheStoreAreEnoughForEveryVerb() {
        try (TestRedis redis =
                connected("+eval +evalsha +time +exists +hget +hset +hdel +hgetall +pexpire +persist +pttl +info")) {
            redis.store.connect();
            Claim claim = redis.granted(identity);
            StepRecord step = TestRedis.running("charge", claim);
            assertThat(redis.store.renew(List.of(claim))).containsEntry(claim, Renewal.RENEWED);
            assertThat(redis.store.recordStep(claim, step)).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.hold(claim)).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.resolveStep(identity, 1, step.step(), ENDED)).isTrue();
            assertThat(redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION)))
                    .isTrue();
            Claim next = redis.granted(identity);
            assertThat(redis.store.forgetStep(next, step.step())).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.release(next, RETENTION)).isEqualTo(Ownership.OWNED);
            assertThat(redis.store.complete(redis.granted(identity), ENDED, RETENTION))
                    .isEqualTo(Ownership.OWNED);
            assertThat(redis.store.find(identity)).isPresent();
            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
        }
    }

    @Test
    void aUserWithoutScriptsIsAFailureAndNothingIsGranted() {
        try (TestRedis redis = connected("+@all -eval -evalsha")) {
            assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(() -> redis.store.claim(TestRedis.request(identity)))
                    .withStackTraceContaining("NOPERM");
        }
    }

    private TestRedis connected(String commands) {
        server.ask(Stream.concat(
                        Stream.of("ACL", "SETUSER", "limited", "on", ">secret", "~" + TestRedis.PREFIX + "*"),
                        Stream.of(commands.split(" ")))
                .toArray(String[]::new));
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());
        address.setUsername("limited");
        address.setPassword("secret");
        return new TestRedis(RedisTopology.started(address, LettuceClientConfiguration.defaultConfiguration()));
    }
}
