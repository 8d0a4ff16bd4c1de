package io.idempotency.store.jdbc;

import io.idempotency.store.IdempotencyStoreContract;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** The contract on a database that its subclasses open, one after the other. */
abstract class JdbcStoreContract extends IdempotencyStoreContract {

    private static @Nullable TestDatabase database;

    private static @Nullable JdbcIdempotencyStore store;

    static void open(TestDatabase opened) {
        database = opened;
        store = opened.openStore();
    }

    /** Closes what was opened: of a store that could not be, only its database. */
    @AfterAll
    static void close() {
        if (store != null) {
            store.close();
            store = null;
        }
        if (database != null) {
            database.close();
            database = null;
        }
    }

    @Override
    public JdbcIdempotencyStore store() {
        return Objects.requireNonNull(store);
    }
}
