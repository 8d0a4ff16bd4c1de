package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.RecordState;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.idempotency.store.redis.RedisTopology;
import java.lang.reflect.Proxy;
import java.time.Duration;
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

    private static final Set<String> SHORT_FORM =
            Set.of("CLAIM_IS_NOT_ATOMIC", "STALE_OWNER_RENEWS", "STALE_OWNER_COMPLETES", "OUTCOME_EXPIRES_TOO_EARLY");

    static Stream<Arguments> databasesAndFaults() {
        return Stream.of(StoreAddress.Kind.POSTGRES, StoreAddress.Kind.MARIADB)
                .flatMap(kind -> faults(PlantedFault.values()).map(fault -> Arguments.of(kind, fault)));
    }

    static Stream<PlantedScriptFault> scriptFaults() {
        return faults(PlantedScriptFault.values());
    }

    /** Leaves most to the long form. */
    private static <E extends Enum<E>> Stream<E> faults(E[] all) {
        return Stream.of(all)
                .filter(fault -> SHORT_FORM.contains(fault.name()) || Boolean.getBoolean("idempotency.faults.long"));
    }

    @ParameterizedTest
    @MethodSource("databasesAndFaults")
    void aPlantedFaultIsFound(StoreAddress.Kind kind, PlantedFault fault) {
        StoreAddress address = kind.address();
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(fault.plantIn(address.dataSource()));
        try (HikariDataSource pool = new HikariDataSource(configuration);
                OpenStore store = address.openOver(pool, STORE_TIMEOUT)) {
            assertThat(isFoundIn(store.store())).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("scriptFaults")
    void aPlantedFaultOfAScriptIsFound(PlantedScriptFault fault) {
        LettuceConnectionFactory connections = RedisTopology.REDIS_6_2.newConnectionFactory();
        try {
            IdempotencyStore store =
                    new RedisIdempotencyStore(fault.plantIn(connections), "faults:" + fault, STORE_TIMEOUT);
            assertThat(isFoundIn(store)).isTrue();
        } finally {
            connections.destroy();
        }
    }

    @Test
    void aFingerprintThatIsNotComparedWhileInProgressIsFound() {
        IdempotencyStore store = new InMemoryIdempotencyStore(1_000);
        IdempotencyStore broken = (IdempotencyStore) Proxy.newProxyInstance(
                PlantedFaultTests.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, verb, arguments) -> {
                    Object answer = verb.invoke(store, arguments);
                    return answer instanceof ClaimOutcome.Mismatch
                            ? inProgressOr(answer, store, (ClaimRequest) arguments[0])
                            : answer;
                });

        assertThat(isFoundIn(broken)).isTrue();
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
