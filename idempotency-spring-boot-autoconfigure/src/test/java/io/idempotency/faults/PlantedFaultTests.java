package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.RecordState;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check of histories finds what is wrong with a store. */
@Tag("faults")
class PlantedFaultTests {

    /** One is enough nearly always, but how clients meet is left to chance. */
    private static final int MOST_ROUNDS = 100;

    @ParameterizedTest
    @EnumSource
    void aPlantedFaultIsFound(PlantedFault fault) {
        StoreAddress address = StoreAddress.Kind.POSTGRES.address();
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(fault.plantIn(address.dataSource()));
        try (HikariDataSource pool = new HikariDataSource(configuration);
                OpenStore store = address.openOver(pool, Duration.ofSeconds(20))) {
            assertThat(isFoundIn(store.store())).isTrue();
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
