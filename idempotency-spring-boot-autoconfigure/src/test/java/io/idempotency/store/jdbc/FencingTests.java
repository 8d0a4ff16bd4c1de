package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The number of the attempt keeps one that was taken over from the rows of an application. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class FencingTests {

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private JdbcIdempotencyStore store;

    private IdempotencyTemplate engine;

    @BeforeEach
    void open() {
        database = product.open();
        database.jdbc()
                .execute("CREATE TABLE customer_order (id VARCHAR(9) PRIMARY KEY, status VARCHAR(9), attempt BIGINT)");
        database.jdbc().update("INSERT INTO customer_order VALUES ('order', 'new', 0)");
        store = database.openStore();
        engine = new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("fencing", Duration.ofSeconds(20), 0),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
        database.close();
    }

    @Test
    void anAttemptThatWasTakenOverChangesNothing() {
        boolean changedByTheFirst = call(() -> {
            endLease();
            boolean changedByTheSecond = onAnotherThread(() -> call(() -> setStatus("second")));
            assertThat(changedByTheSecond).isTrue();
            return setStatus("first");
        });

        assertThat(changedByTheFirst).isFalse();
        assertThat(database.jdbc().queryForMap("SELECT status, attempt FROM customer_order"))
                .containsEntry("status", "second")
                .containsEntry("attempt", 2L);
    }

    @Test
    void anAttemptMayChangeWhatItOrAnEarlierOneHasChanged() {
        call(() -> {
            setStatus("paid");
            assertThat(setStatus("sent")).isTrue();
            endLease();
            return onAnotherThread(() -> call(() -> setStatus("done")));
        });

        assertThat(database.jdbc().queryForObject("SELECT status FROM customer_order", String.class))
                .isEqualTo("done");
    }

    private boolean call(IdempotentWork<Boolean, RuntimeException> work) {
        return engine.operation("status")
                .key("key")
                .execute(Boolean.class, work)
                .value();
    }

    /** As the documentation tells users to. */
    private boolean setStatus(String status) {
        long attempt = IdempotencyContext.current().orElseThrow().attempt();
        int rows = database.jdbc()
                .update(
                        "UPDATE customer_order SET status = ?, attempt = ? WHERE id = ? AND attempt <= ?",
                        status,
                        attempt,
                        "order",
                        attempt);
        return rows == 1;
    }

    /** The JVM of the holder stands still for longer. */
    private void endLease() {
        database.jdbc().update("UPDATE idempotency_record SET lease_until = " + database.time("2020-01-01 00:00:00"));
    }

    private static boolean onAnotherThread(IdempotentWork<Boolean, RuntimeException> work) {
        return CompletableFuture.supplyAsync(work::run).join();
    }
}
