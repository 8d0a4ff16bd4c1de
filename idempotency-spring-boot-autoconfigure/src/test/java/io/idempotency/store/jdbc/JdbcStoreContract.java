package io.idempotency.store.jdbc;

import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;

/** The contract on a database that its subclasses open, one after the other. */
abstract class JdbcStoreContract extends IdempotencyStoreContract {

    private static TestDatabase database;

    private static JdbcIdempotencyStore store;

    static void open(TestDatabase opened) {
        database = opened;
        store = database.openStore();
    }

    @AfterAll
    static void close() {
        store.close();
        database.close();
    }

    @Override
    public JdbcIdempotencyStore store() {
        return store;
    }
}
