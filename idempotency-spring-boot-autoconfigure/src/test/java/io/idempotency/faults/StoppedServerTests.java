package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OperationPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What callers see while the processes of the server are stopped, or killed and started again. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoppedServerTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<StoreAddress.Kind, ServerProcess> servers = new EnumMap<>(StoreAddress.Kind.class);

    private Operation operation;

    private ServerProcess server;

    private OpenStore store;

    private IdempotencyTemplate engine;

    /** MariaDB takes long to start, so it is left to the long form. */
    static Stream<StoreAddress.Kind> kinds() {
        return Stream.of(StoreAddress.Kind.values())
                .filter(kind -> kind != StoreAddress.Kind.MARIADB || Boolean.getBoolean("idempotency.faults.long"));
    }

    private void open(StoreAddress.Kind kind) {
        operation = new Operation(OperationPolicy.DEFAULT);
        server = servers.computeIfAbsent(kind, ServerProcess::start);
        store = server.newAddress().open(Promptness.STORE_TIMEOUT);
        engine = Operation.engine(store.store(), Promptness.STORE_TIMEOUT);
        // On a busy machine the first connection may take longer than a store may.
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IdempotencyStoreException.class)
                .untilAsserted(this::assertThatTheFirstCallWorks);
    }

    @AfterEach
    void closeStore() {
        engine.close();
        store.close();
    }

    @AfterAll
    void closeServers() {
        servers.values().forEach(ServerProcess::close);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aClaimOnAStoppedServerIsRefusedInTimeAndNothingRuns(StoreAddress.Kind kind) {
        open(kind);

        server.freeze();
        operation.isRefusedInTime(engine);
        server.thaw();

        assertThatTheFirstCallWorks();
        // The claim may have reached the server; then it is released by its own token.
        assertThat(operation.call(engine, PATIENCE, () -> "ran").replayed()).isFalse();
        assertThat(operation.executions()).isOne();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("faults-long")
    void aServerThatIsStoppedWhileWorkRunsRecordsItsOutcome(StoreAddress.Kind kind) {
        open(kind);

        operation.call(engine, Duration.ZERO, () -> {
            server.freeze();
            new Operation(OperationPolicy.DEFAULT).isRefusedInTime(engine);
            server.thaw();
            return "ran";
        });

        assertThatReplayed();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("faults-long")
    void aServerThatIsStoppedWhenWorkEndsRecordsItsOutcomeLater(StoreAddress.Kind kind) {
        open(kind);

        IdempotentResult<String> result = Promptness.promptly(() -> operation.call(engine, Duration.ZERO, () -> {
            server.freeze();
            return "ran";
        }));

        assertThat(result.value()).isEqualTo("ran");
        server.thaw();
        assertThatTheFirstCallWorks();
        assertThatReplayed();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatIsKilledAndStartedAgainBetweenClaimAndCompletionKnowsTheClaim(StoreAddress.Kind kind) {
        open(kind);

        operation.call(engine, Duration.ZERO, () -> {
            server.kill();
            new Operation(OperationPolicy.DEFAULT).isRefusedInTime(engine);
            server.restart();
            return "ran";
        });

        assertThatTheFirstCallWorks();
        assertThatReplayed();
    }

    private void assertThatTheFirstCallWorks() {
        Operation first = new Operation(OperationPolicy.DEFAULT);
        assertThat(first.call(engine, Duration.ZERO, () -> "ran").replayed()).isFalse();
    }

    private void assertThatReplayed() {
        IdempotentResult<String> replayed = operation.call(engine, PATIENCE, () -> "ran again");
        assertThat(replayed.replayed()).isTrue();
        assertThat(replayed.value()).isEqualTo("ran");
        assertThat(replayed.attempt()).isOne();
        assertThat(operation.executions()).isOne();
    }
}
