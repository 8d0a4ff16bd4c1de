package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Outcome;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** What the store costs: commands as the server counts them, and nothing beside them. */
class RedisRoundTripsTests {

    private final TestRedis redis = new TestRedis();

    private final IdempotencyTemplate idempotency = new IdempotencyTemplate(
            redis.store,
            new JsonOutcomeCodecFactory(1_000),
            new EngineSettings("round-trips", Duration.ofSeconds(10), 0),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    private final String key = UUID.randomUUID().toString();

    private RedisMonitor monitor;

    @BeforeEach
    void letTheServerSeeTheScriptsAndForgetItsCounters() throws IOException {
        execute(UUID.randomUUID().toString());
        redis.ask(connection -> {
            connection.serverCommands().resetConfigStats();
            return true;
        });
        monitor = new RedisMonitor();
    }

    @AfterEach
    void close() throws IOException {
        monitor.close();
        idempotency.close();
        redis.close();
    }

    @Test
    void aFirstExecutionCostsTwoCommands() throws IOException {
        assertThat(execute(key).replayed()).isFalse();

        assertThat(monitor.sent(redis)).containsExactly("evalsha", "evalsha");
        assertThat(scriptsRun()).isEqualTo(2);
    }

    @Test
    void aReplayCostsOneCommand() throws IOException {
        execute(key);
        long before = scriptsRun();
        monitor.sent(redis);

        assertThat(execute(key).replayed()).isTrue();

        assertThat(monitor.sent(redis)).containsExactly("evalsha");
        assertThat(scriptsRun() - before).isEqualTo(1);
    }

    @Test
    void aStepCostsOneCommandAndNoneOnceItIsDone() throws IOException {
        IdempotentSteps steps = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> idempotency);
        warmUp(steps);
        monitor.sent(redis);
        assertThatIllegalStateException()
                .isThrownBy(() -> execute(key, () -> {
                    steps.run("charge", String.class, step -> "receipt");
                    steps.run("account", String.class, step -> "account");
                    throw new IllegalStateException("planted");
                }));
        assertThat(monitor.sent(redis)).containsExactly("evalsha", "evalsha", "evalsha", "evalsha");

        execute(
                key,
                () -> steps.run("charge", String.class, step -> "another receipt")
                        + steps.run("account", String.class, step -> "another account"));

        assertThat(monitor.sent(redis)).containsExactly("evalsha", "evalsha");
    }

    @Test
    void aHundredRecordedStepsComeAlongAsOneDoes() throws IOException {
        IdempotentSteps steps = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> idempotency);
        warmUp(steps);
        IdempotentWork<String, RuntimeException> loop = () -> {
            for (int item = 0; item < 100; item++) {
                steps.run("ship", Integer.toString(item), step -> {});
            }
            return "shipped";
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> execute(key, () -> {
                    loop.run();
                    throw new IllegalStateException("planted");
                }));
        monitor.sent(redis);

        execute(key, loop);

        assertThat(monitor.sent(redis)).containsExactly("evalsha", "evalsha");
    }

    /** The server sees the scripts of a step and of a release for the first time. */
    private void warmUp(IdempotentSteps steps) {
        assertThatIllegalStateException()
                .isThrownBy(() -> execute(UUID.randomUUID().toString(), () -> {
                    steps.run("charge", String.class, step -> "receipt");
                    throw new IllegalStateException("planted");
                }));
    }

    @Test
    void aRenewalCostsOneCommandForEachClaim() {
        List<Claim> claims = Stream.generate(() -> redis.granted(TestRedis.newIdentity()))
                .limit(3)
                .toList();
        redis.store.renew(claims);
        long before = scriptsRun();

        redis.store.renew(claims);

        assertThat(scriptsRun() - before).isEqualTo(3);
    }

    @Test
    void everyVerbCostsOneCommand() throws IOException {
        assertThatEveryVerbCostsOneCommand(redis.store);
    }

    @Test
    void everyVerbCostsOneCommandAndOneConnectionOfThePoolByJedisToo() throws IOException {
        AtomicInteger borrowed = new AtomicInteger();
        JedisConnectionFactory connections = new JedisConnectionFactory(RedisTopology.standalone(TestServers.redis())) {
            @Override
            public RedisConnection getConnection() {
                borrowed.incrementAndGet();
                return super.getConnection();
            }
        };
        connections.afterPropertiesSet();
        RedisIdempotencyStore store = new RedisIdempotencyStore(connections, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT);
        try {
            assertThatEveryVerbCostsOneCommand(store);
        } finally {
            connections.destroy();
        }
        // Each is sent twice: the first time the server does not know its script.
        assertThat(borrowed).hasValue(2 * verbs(store).size());
    }

    private void assertThatEveryVerbCostsOneCommand(RedisIdempotencyStore store) throws IOException {
        // The server sees each script for the first time.
        verbs(store).values().forEach(Runnable::run);
        for (Map.Entry<String, Runnable> verb : verbs(store).entrySet()) {
            monitor.sent(redis);
            verb.getValue().run();
            assertThat(monitor.sent(redis)).as(verb.getKey()).containsExactly("evalsha");
        }
    }

    /** The verbs, each of which needs those before it. */
    private static Map<String, Runnable> verbs(RedisIdempotencyStore store) {
        Identity identity = TestRedis.newIdentity();
        Claim[] held = new Claim[1];
        Runnable claim = () -> held[0] = ((ClaimOutcome.Granted) store.claim(TestRedis.request(identity))).claim();
        Map<String, Runnable> verbs = new LinkedHashMap<>();
        verbs.put("claim", claim);
        verbs.put("claim in progress", () -> store.claim(TestRedis.request(identity)));
        verbs.put("renew", () -> store.renew(List.of(held[0])));
        verbs.put("record a step", () -> store.recordStep(held[0], TestRedis.running("step", held[0])));
        verbs.put("forget a step", () -> store.forgetStep(held[0], StepIdentity.of("step", null)));
        verbs.put("release", () -> store.release(held[0], TestRedis.LIFETIME));
        verbs.put("next attempt", claim);
        verbs.put("hold", () -> store.hold(held[0]));
        verbs.put("claim in doubt", () -> store.claim(TestRedis.request(identity)));
        verbs.put("resolve", () -> store.resolve(identity, 2, new Resolution.Retry(TestRedis.LIFETIME)));
        verbs.put("attempt after that", claim);
        verbs.put("complete", () -> store.complete(held[0], Outcome.tombstone("ended"), TestRedis.LIFETIME));
        verbs.put("replay", () -> store.claim(TestRedis.request(identity)));
        verbs.put("find", () -> store.find(identity));
        return verbs;
    }

    private IdempotentResult<String> execute(String key) {
        return execute(key, () -> "done");
    }

    private IdempotentResult<String> execute(String key, IdempotentWork<String, RuntimeException> work) {
        return idempotency.operation("round trip").key(key).execute(String.class, work);
    }

    private long scriptsRun() {
        Properties statistics =
                redis.ask(connection -> connection.serverCommands().info("commandstats"));
        return calls(statistics, "evalsha") + calls(statistics, "eval");
    }

    /** Reads {@code cmdstat_evalsha=calls=2,usec=91,...}. */
    private static long calls(Properties statistics, String command) {
        String line = statistics.getProperty("cmdstat_" + command, "calls=0,");
        return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
    }
}
