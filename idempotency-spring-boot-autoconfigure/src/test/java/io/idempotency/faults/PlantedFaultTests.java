package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.RecordState;
import io.idempotency.core.StepStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.idempotency.store.redis.RedisTopology;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The check of histories finds what is wrong with a store. */
@Tag("faults")
class PlantedFaultTests {

    /** One is enough nearly always, but how clients meet is left to chance. */
    private static final int MOST_ROUNDS = 100;

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(20);

    private static final Set<PlantedFault> SHORT_FORM = EnumSet.of(
            PlantedFault.CLAIM_IS_NOT_ATOMIC,
            PlantedFault.STALE_OWNER_RENEWS,
            PlantedFault.STALE_OWNER_COMPLETES,
            PlantedFault.STALE_OWNER_RECORDS_STEP,
            PlantedFault.TAKEOVER_FORGETS_STEPS,
            PlantedFault.OUTCOME_EXPIRES_TOO_EARLY);

    /** Leaves most to the long form. */
    static Stream<Arguments> storesAndFaults() {
        return Stream.of(StoreAddress.Kind.values())
                .flatMap(kind -> Stream.of(PlantedFault.values())
                        .filter(fault -> fault.isPossibleIn(kind))
                        .filter(fault -> SHORT_FORM.contains(fault) || Boolean.getBoolean("idempotency.faults.long"))
                        .map(fault -> Arguments.of(kind, fault)));
    }

    @ParameterizedTest
    @MethodSource("storesAndFaults")
    void aPlantedFaultIsFound(StoreAddress.Kind kind, PlantedFault fault) {
        try (OpenStore store = kind == StoreAddress.Kind.REDIS ? redisWith(fault) : databaseWith(kind, fault)) {
            assertThat(isFoundIn(store.store())).isTrue();
        }
    }

    @Test
    void aFingerprintThatIsNotComparedWhileInProgressIsFound() {
        IdempotencyStore store = new InMemoryIdempotencyStore(1_000);
        IdempotencyStore broken = (IdempotencyStore) Proxy.newProxyInstance(
                PlantedFaultTests.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class, StepStore.class},
                (proxy, verb, arguments) -> {
                    Object answer = verb.invoke(store, arguments);
                    return answer instanceof ClaimOutcome.Mismatch
                            ? inProgressOr(answer, store, (ClaimRequest) arguments[0])
                            : answer;
                });

        assertThat(isFoundIn(broken)).isTrue();
    }

    private static OpenStore databaseWith(StoreAddress.Kind kind, PlantedFault fault) {
        StoreAddress address = kind.address();
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(fault.plantIn(address.dataSource()));
        HikariDataSource pool = new HikariDataSource(configuration);
        OpenStore store = address.openOver(pool, STORE_TIMEOUT);
        return new OpenStore(store.store(), List.of(store::close, pool::close));
    }

    private static OpenStore redisWith(PlantedFault fault) {
        LettuceConnectionFactory connections = RedisTopology.REDIS_6_2.newConnectionFactory();
        IdempotencyStore store =
                new RedisIdempotencyStore(fault.plantIn(connections), "faults:" + fault, STORE_TIMEOUT);
        return new OpenStore(store, List.of(connections::destroy));
    }

    private static Object inProgressOr(Object answer, IdempotencyStore store, ClaimRequest request) {
        return store.find(request.identity())
                .filter(record -> record.state() == RecordState.IN_PROGRESS)
                .<Object>map(record -> new ClaimOutcome.InProgress(record.remainingLease()))
                .orElse(answer);
    }

    private static boolean isFoundIn(IdempotencyStore store) {
        return IntStream.rangeClosed(1, MOST_ROUNDS)
                .mapToObj(seed -> HistoryClients.run(store, seed))
                .flatMap(histories -> histories.values().stream())
                .anyMatch(history -> HistoryChecker.violation(history).isPresent());
    }
}
