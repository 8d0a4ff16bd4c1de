package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import io.idempotency.testsupport.TestServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
        value = "isThere",
        disabledReason =
                "There is no MySQL: name one by IDEMPOTENCY_TEST_MYSQL, or start a Docker engine that has its image")
class MySqlJdbcIdempotencyStoreTests extends IdempotencyStoreContract {

    private static TestDatabase database;

    private static JdbcIdempotencyStore store;

    static boolean isThere() {
        return TestServers.mySql().isPresent();
    }

    @BeforeAll
    static void open() {
        database = TestDatabase.mySql();
        store = database.openStore();
    }

    @AfterAll
    static void close() {
        store.close();
        database.close();
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }
}
