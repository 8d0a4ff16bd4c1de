package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Renewal;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ValueEncoding;

/** What lies in the server, and what becomes of a call when something else lies there. */
@ParameterizedClass
@EnumSource
class RedisRecordTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final byte[] HEADER = TestRedis.bytes("header");

    private static final byte[] OUTCOME = TestRedis.bytes("outcome");

    private final TestRedis redis;

    private final Identity identity = TestRedis.newIdentity();

    private final byte[] key = TestRedis.key(identity);

    RedisRecordTests(RedisTopology topology) {
        redis = new TestRedis(topology);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aKeyOfAnotherTypeIsRefusedAndLeftAlone() {
        redis.ask(connection -> connection.stringCommands().set(key, TestRedis.bytes("somebody else's")));

        assertThatEveryVerbIsRefused();

        byte[] left = redis.ask(connection -> connection.stringCommands().get(key));
        assertThat(left).isEqualTo(TestRedis.bytes("somebody else's"));
    }

    @Test
    void aHashOfSomebodyElseIsRefusedAndLeftAlone() {
        redis.ask(connection -> connection.hashCommands().hSet(key, TestRedis.bytes("name"), TestRedis.bytes("value")));

        assertThatEveryVerbIsRefused();

        Long fields = redis.ask(connection -> connection.hashCommands().hLen(key));
        assertThat(fields).isEqualTo(1);
    }

    @Test
    void aListIsRefusedAndLeftAlone() {
        redis.ask(connection -> connection.listCommands().rPush(key, TestRedis.bytes("somebody else's")));

        assertThatEveryVerbIsRefused();

        Long elements = redis.ask(connection -> connection.listCommands().lLen(key));
        assertThat(elements).isEqualTo(1);
    }

    /** @param layout one that was before ours, and one that may come after it */
    @ParameterizedTest
    @ValueSource(bytes = {0, 2})
    void aRecordOfAnotherLayoutIsRefusedAndLeftAlone(byte layout) {
        redis.granted(identity);
        byte[] other = header();
        other[0] = layout;
        overwriteHeader(other);

        assertThatEveryVerbIsRefused();

        assertThat(header()).isEqualTo(other);
    }

    @Test
    void aRecordWithALongerHeaderIsRefusedAndLeftAlone() {
        redis.granted(identity);
        byte[] longer = Arrays.copyOf(header(), header().length + 1);
        overwriteHeader(longer);

        assertThatEveryVerbIsRefused();

        assertThat(header()).isEqualTo(longer);
    }

    /** A refusal must not give a foreign key a time to live, nor take it away. */
    @Test
    void aKeyOfSomebodyElseIsKeptForAsLongAsBefore() {
        redis.ask(connection -> connection.stringCommands().set(key, TestRedis.bytes("somebody else's")));

        assertThatEveryVerbIsRefused();

        assertThat(timeToLive()).isEqualTo(-1);
        redis.ask(connection ->
                connection.keyCommands().pExpire(key, Duration.ofHours(1).toMillis()));

        assertThatEveryVerbIsRefused();

        assertThat(timeToLive())
                .isBetween(
                        Duration.ofMinutes(50).toMillis(), Duration.ofHours(1).toMillis());
    }

    private long timeToLive() {
        return redis.ask(connection -> connection.keyCommands().pTtl(key));
    }

    @Test
    void aRecordInAnUnknownStateIsRefused() {
        redis.granted(identity);
        byte[] unknown = header();
        unknown[1] = 9;
        overwriteHeader(unknown);

        assertThatEveryVerbIsRefused();
    }

    @Test
    void aRecordOfGarbageIsRefused() {
        overwriteHeader(TestRedis.bytes("garbage"));

        assertThatEveryVerbIsRefused();
    }

    @Test
    void aRenewalOfWhatCannotBeReadIsLostWithoutHarmToTheOthers() {
        Claim overwritten = redis.granted(identity);
        overwriteHeader(TestRedis.bytes("garbage"));
        Claim other = redis.granted(TestRedis.newIdentity());

        assertThat(redis.store.renew(List.of(overwritten, other)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(overwritten, Renewal.LOST, other, Renewal.RENEWED));
    }

    @Test
    void anOutcomeOfGarbageIsToldAsUnreadable() {
        redis.store.complete(redis.granted(identity), Outcome.tombstone("ended"), RETENTION);
        redis.ask(connection -> connection.hashCommands().hSet(key, OUTCOME, TestRedis.bytes("garbage")));

        assertThatTheOutcomeIsUnreadable();
    }

    @Test
    void anOutcomeThatIsMissingIsToldAsUnreadable() {
        redis.store.complete(redis.granted(identity), Outcome.tombstone("ended"), RETENTION);
        redis.ask(connection -> connection.hashCommands().hDel(key, OUTCOME));

        assertThatTheOutcomeIsUnreadable();
    }

    @Test
    void aKeyShowsNothingOfWhatTheCallerSent() {
        String sent = "*{secret}\" EVAL '] ";
        Identity ofSent = new IdempotencyKey(sent, sent, sent).identity(sent);

        redis.granted(ofSent);

        assertThat(redis.exists(ofSent)).isTrue();
        assertThat(new String(TestRedis.key(ofSent), StandardCharsets.UTF_8)).matches("behind:\\{[0-9a-f]{64}}");
        Set<byte[]> showing =
                redis.ask(connection -> connection.keyCommands().keys(TestRedis.bytes(TestRedis.PREFIX + "*secret*")));
        assertThat(showing).isEmpty();
    }

    @Test
    void theRecordOfARunningClaimIsSmall() {
        redis.granted(identity);

        ValueEncoding encoding =
                redis.ask(connection -> connection.keyCommands().encodingOf(key));
        assertThat(encoding.raw())
                .as("the encoding of small hashes, ziplist before Redis 7")
                .isIn("listpack", "ziplist");
    }

    @Test
    void aPrefixWithBracesIsRefusedByNamingTheProperty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisIdempotencyStore(redis.connections, "{app}:", TestRedis.STORE_TIMEOUT))
                .withMessageContaining("idempotency.redis.key-prefix");
    }

    private void assertThatEveryVerbIsRefused() {
        Claim claim = new Claim(identity, OwnerToken.random(), 1, TestRedis.LEASE);
        for (ThrowingCallable verb : List.<ThrowingCallable>of(
                () -> redis.store.claim(TestRedis.request(identity)),
                () -> redis.store.complete(claim, Outcome.tombstone("ended"), RETENTION),
                () -> redis.store.release(claim, RETENTION),
                () -> redis.store.hold(claim),
                () -> redis.store.recordStep(claim, TestRedis.running("charge", claim)),
                () -> redis.store.forgetStep(claim, StepIdentity.of("charge", null)),
                () -> redis.store.resolve(identity, 1, new Resolution.Retry(RETENTION)),
                () -> redis.store.resolveStep(identity, 1, StepIdentity.of("charge", null), Outcome.tombstone("ended")),
                () -> redis.store.find(identity))) {
            assertThatThrownBy(verb)
                    .isInstanceOf(IdempotencyStoreException.class)
                    .hasMessageContaining("cannot read")
                    .hasMessageContaining("idempotency.redis.key-prefix");
        }
    }

    private void assertThatTheOutcomeIsUnreadable() {
        assertThat(redis.store.claim(TestRedis.request(identity)))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Completed.class,
                        completed -> assertThat(completed.outcome().kind()).isEqualTo(Outcome.Kind.UNREADABLE));
    }

    private byte[] header() {
        return redis.ask(connection -> connection.hashCommands().hGet(key, HEADER));
    }

    private void overwriteHeader(byte[] header) {
        redis.ask((RedisConnection connection) -> connection.hashCommands().hSet(key, HEADER, header));
    }
}
