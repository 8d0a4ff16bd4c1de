package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class GenericJdbcIdempotencyStoreTests extends IdempotencyStoreContract {

    private static TestDatabase database;

    private static JdbcIdempotencyStore store;

    @BeforeAll
    static void open() {
        database = TestDatabase.generic();
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
