package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.faults.TcpProxy.Fault;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What many clients see of a store at random is what the state table allows, also while its connections are cut. */
@Tag("faults")
class HistoryTests {

    /** Set by {@code -Didempotency.history.seed=…} to run one round again. */
    private static final Long SEED = Long.getLong("idempotency.history.seed");

    /** More in the long form. */
    private static final int ROUNDS = Integer.getInteger("idempotency.history.rounds", 2);

    private static final int MOST_ROUNDS = 40 * ROUNDS;

    private static final Set<String> KINDS = Set.of(
            "Grant",
            "Takeover",
            "Brought",
            "Step resolved",
            "Replay",
            "Mismatch",
            "InProgress",
            "InDoubt",
            "RENEWED",
            "OWNED",
            "LOST",
            "true",
            "false",
            "Found",
            "None");

    private static final List<Fault> CUTS =
            List.of(Fault.CUT_BEFORE_REQUEST, Fault.CUT_BEFORE_REPLY, Fault.CUT_IN_REPLY);

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void aStoreAnswersAsTheStateTableAllows(EveryStore kind) {
        try (OpenStore open = kind.open(STORE_TIMEOUT)) {
            assertThatHistoriesAreAllowed(open.store());
        }
    }

    /** The store takes connections as they are, and each of its statements is a transaction of that level. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void aStoreThatSharesAPoolAtRepeatableReadAnswersAsTheStateTableAllows(StoreAddress.Kind kind) {
        try (HikariDataSource pool = kind.address().newLazyPool();
                JdbcIdempotencyStore store = sharing(pool)) {
            assertThatHistoriesAreAllowed(store);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStoreAnswersAsTheStateTableAllowsWhileItsConnectionsAreCut(StoreAddress.Kind kind) {
        StoreAddress address = kind.address();
        try (TcpProxy proxy = address.newProxy();
                OpenStore open = address.through(proxy).openAtMostOnce(STORE_TIMEOUT)) {
            Random random = new Random();
            proxy.disturb(request -> random.nextInt(40) == 0 ? CUTS.get(random.nextInt(CUTS.size())) : null);
            assertThat(assertThatHistoriesAreAllowed(open.store())).anyMatch(event -> !event.isAnswered());
        }
    }

    private static JdbcIdempotencyStore sharing(HikariDataSource pool) {
        pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        return JdbcIdempotencyStore.open(
                pool, JdbcDialects.detect(pool), new JdbcStoreSettings("idempotency_", 0, STORE_TIMEOUT));
    }

    /** Returns what was seen. Rounds go on until every kind of answer is among it, else they would say little. */
    private static List<HistoryEvent> assertThatHistoriesAreAllowed(IdempotencyStore store) {
        List<HistoryEvent> seen = new ArrayList<>();
        Random seeds = new Random();
        for (int round = 0; round < ROUNDS || !kinds(seen).containsAll(KINDS); round++) {
            assertThat(round)
                    .as("Rounds that gave no more than %s", kinds(seen))
                    .isLessThan(MOST_ROUNDS);
            long seed = SEED != null ? SEED : seeds.nextLong();
            for (List<HistoryEvent> history : HistoryClients.run(store, seed).values()) {
                assertThat(HistoryChecker.violation(history))
                        .as("Round with the seed %d", seed)
                        .isEmpty();
                seen.addAll(history);
            }
        }
        return seen;
    }

    private static Set<String> kinds(List<HistoryEvent> seen) {
        return seen.stream()
                .filter(HistoryEvent::isAnswered)
                .flatMap(HistoryTests::kinds)
                .collect(Collectors.toSet());
    }

    private static Stream<String> kinds(HistoryEvent event) {
        Object answer = Objects.requireNonNull(event.answer());
        if (answer instanceof RecordModel.Grant grant) {
            return Stream.of(
                    grant.takeover() ? "Takeover" : "Grant", grant.steps().isEmpty() ? "Grant" : "Brought");
        }
        if (answer instanceof Optional<?> found) {
            return Stream.of(found.isPresent() ? "Found" : "None");
        }
        if (event.request() instanceof HistoryRequest.ToResolveStep && answer.equals(true)) {
            return Stream.of("Step resolved");
        }
        return Stream.of(answer instanceof Record ? answer.getClass().getSimpleName() : answer.toString());
    }
}
