package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check of histories finds what is wrong with a store. */
@Tag("faults")
class PlantedFaultTests {

    /** One is enough nearly always; how clients meet is left to chance. */
    private static final int MOST_ROUNDS = 40;

    @ParameterizedTest
    @EnumSource
    void aPlantedFaultIsFound(PlantedFault fault) throws Exception {
        JdbcStoreSettings settings = new JdbcStoreSettings("idempotency_", 4, Duration.ofSeconds(20));
        try (HikariDataSource pool = StoreAddress.Kind.POSTGRES.address().newPool();
                JdbcIdempotencyStore store = JdbcIdempotencyStore.open(pool, fault.dialect(), settings)) {
            boolean found = false;
            for (int seed = 1; seed <= MOST_ROUNDS && !found; seed++) {
                found = HistoryClients.run(store, seed).values().stream()
                        .anyMatch(history -> HistoryChecker.violation(history).isPresent());
            }
            assertThat(found).isTrue();
        }
    }
}
