package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyRecord;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Outcome;
import io.idempotency.core.RecordState;
import io.idempotency.core.Resolution;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.core.StepStore;
import io.idempotency.core.SweepableStore;
import io.idempotency.faults.TcpProxy.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Every verb of every store, with the connection cut at its worst moments. The sender is told that the store failed, or,
 * where the client library sent the request again by itself, the answer. Whatever happened, sending the verb once more
 * ends as if nothing had happened.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerbFaultTests {

    private static final Duration GENEROUS = Duration.ofSeconds(20);

    private static final List<Fault> CUTS =
            List.of(Fault.CUT_BEFORE_REQUEST, Fault.CUT_BEFORE_REPLY, Fault.CUT_IN_REPLY);

    private static final StepRecord OPEN_STEP =
            new StepRecord(StepIdentity.of("charge", null), StepState.RUNNING, Fingerprint.none(), 1, null);

    private final Map<StoreAddress.Kind, ProxiedStore> stores = new EnumMap<>(StoreAddress.Kind.class);

    @AfterAll
    void close() {
        stores.values().forEach(ProxiedStore::close);
    }

    static Stream<Arguments> verbsAndCuts() {
        List<Arguments> combinations = new ArrayList<>();
        for (StoreAddress.Kind kind : StoreAddress.Kind.values()) {
            for (Verb verb : Verb.values()) {
                CUTS.forEach(cut -> combinations.add(Arguments.of(kind, verb, cut)));
            }
        }
        return combinations.stream();
    }

    @ParameterizedTest
    @MethodSource("verbsAndCuts")
    void aVerbWhoseConnectionIsCutIsAppliedOnceOrNotAtAll(StoreAddress.Kind kind, Verb verb, Fault cut) {
        ProxiedStore proxied = stores.computeIfAbsent(kind, VerbFaultTests::open);
        Verb.Sender sender = Verb.Sender.random();
        verb.arrange(proxied.past(), sender);
        Trap trap = new Trap(cut, proxied.marker(sender.identity()), verb.writingRequest(kind));
        proxied.proxy().disturb(trap);

        Optional<Boolean> answer = send(proxied, verb, sender);

        assertThat(trap.isSprung()).isTrue();
        boolean applied = answer.isPresent() || cut != Fault.CUT_BEFORE_REQUEST;
        assertThat(answer)
                .satisfiesAnyOf(
                        told -> assertThat(told).isEmpty(),
                        // Sent again by the client library, after it was applied or before.
                        told -> assertThat(told).contains(verb.isRepeatable() || cut == Fault.CUT_BEFORE_REQUEST));
        assertThat(state(proxied, sender)).isEqualTo(applied ? verb.after : verb.before);
        verb.steps(applied)
                .ifPresent(steps ->
                        assertThat(Verb.recordedSteps(proxied.past(), sender)).isEqualTo(steps));
        assertThat(verb.send(proxied.store(), sender)).isEqualTo(verb.isRepeatable() || !applied);
        assertThat(proxied.past().find(sender.identity())).hasValueSatisfying(record -> {
            assertThat(record.state()).isEqualTo(verb.after);
            assertThat(record.attempt()).isEqualTo(verb.attempt);
        });
        verb.steps(true)
                .ifPresent(steps ->
                        assertThat(Verb.recordedSteps(proxied.past(), sender)).isEqualTo(steps));
    }

    static Stream<Arguments> databasesAndCuts() {
        return Stream.of(StoreAddress.Kind.POSTGRES, StoreAddress.Kind.MARIADB)
                .flatMap(kind -> CUTS.stream().map(cut -> Arguments.of(kind, cut)));
    }

    @ParameterizedTest
    @MethodSource("databasesAndCuts")
    void aSweepWhoseConnectionIsCutDeletesWhatIsExpiredOrNothing(StoreAddress.Kind kind, Fault cut) {
        StoreAddress address = kind.address();
        try (ProxiedStore proxied = ProxiedStore.open(address, GENEROUS)) {
            JdbcTemplate records = new JdbcTemplate(address.dataSource());
            Verb.Sender running = Verb.Sender.random();
            proxied.past().claim(running.request());
            expire(proxied.past(), 3);
            Trap trap = new Trap(cut, "DELETE".getBytes(StandardCharsets.US_ASCII), 1);
            proxied.proxy().disturb(trap);

            assertThatThrownBy(() -> sweep(proxied)).isInstanceOf(IdempotencyStoreException.class);

            assertThat(trap.isSprung()).isTrue();
            boolean applied = cut != Fault.CUT_BEFORE_REQUEST;
            assertThat(countRecords(records)).isEqualTo(applied ? 1 : 4);
            assertThat(sweep(proxied)).isEqualTo(applied ? 0 : 3);
            assertThat(countRecords(records)).isOne();
            assertThat(proxied.past().find(running.identity())).isPresent();
        }
    }

    static Stream<Arguments> databasesAndRequestsAndCuts() {
        return databasesAndCuts()
                .map(Arguments::get)
                .flatMap(cut -> Stream.of("DELETE", "COMMIT").map(request -> Arguments.of(cut[0], request, cut[1])));
    }

    @ParameterizedTest
    @MethodSource("databasesAndRequestsAndCuts")
    void aDoubtIsResolvedAndItsOpenStepForgottenOrNeitherIs(StoreAddress.Kind kind, String request, Fault cut) {
        // A connection that has committed before does not send the word again.
        try (ProxiedStore proxied = ProxiedStore.open(kind.address(), GENEROUS)) {
            Verb.Sender sender = Verb.Sender.random();
            proxied.past().claim(sender.request());
            ((StepStore) proxied.past()).recordStep(sender.claim(), OPEN_STEP);
            proxied.past().hold(sender.claim());
            Trap trap = new Trap(cut, request.getBytes(StandardCharsets.US_ASCII), 1);
            proxied.proxy().disturb(trap);

            assertThatThrownBy(() -> letRetry(proxied, sender)).isInstanceOf(IdempotencyStoreException.class);

            assertThat(trap.isSprung()).isTrue();
            boolean applied = request.equals("COMMIT") && cut != Fault.CUT_BEFORE_REQUEST;
            assertThat(state(proxied, sender)).isEqualTo(applied ? RecordState.RETRYABLE : RecordState.IN_DOUBT);
            assertThat(letRetry(proxied, sender)).isEqualTo(!applied);
            assertThat(Verb.recordedSteps(proxied.past(), sender)).isEmpty();
        }
    }

    private static boolean letRetry(ProxiedStore proxied, Verb.Sender sender) {
        return proxied.store().resolve(sender.identity(), 1, new Resolution.Retry(Duration.ofHours(1)));
    }

    private static void expire(IdempotencyStore store, int number) {
        for (int record = 0; record < number; record++) {
            Verb.Sender sender = Verb.Sender.random();
            Verb.COMPLETE.arrange(store, sender);
            store.complete(sender.claim(), Outcome.tombstone("expires at once"), Duration.ofMillis(1));
            await().until(() -> store.find(sender.identity()).isEmpty());
        }
    }

    private static int sweep(ProxiedStore proxied) {
        return ((SweepableStore) proxied.store()).sweep(100);
    }

    private static @Nullable Integer countRecords(JdbcTemplate records) {
        return records.queryForObject("SELECT count(*) FROM idempotency_record", Integer.class);
    }

    private static ProxiedStore open(StoreAddress.Kind kind) {
        ProxiedStore proxied = ProxiedStore.open(kind.address(), GENEROUS);
        // Redis learns the scripts, so that each verb is one request.
        for (Verb verb : Verb.values()) {
            Verb.Sender sender = Verb.Sender.random();
            verb.arrange(proxied.past(), sender);
            verb.send(proxied.past(), sender);
        }
        return proxied;
    }

    /** Returns the answer; empty if the store failed. */
    private static Optional<Boolean> send(ProxiedStore proxied, Verb verb, Verb.Sender sender) {
        try {
            return Optional.of(verb.send(proxied.store(), sender));
        } catch (IdempotencyStoreException failure) {
            return Optional.empty();
        }
    }

    private static @Nullable RecordState state(ProxiedStore proxied, Verb.Sender sender) {
        return proxied.past()
                .find(sender.identity())
                .map(IdempotencyRecord::state)
                .orElse(null);
    }
}
