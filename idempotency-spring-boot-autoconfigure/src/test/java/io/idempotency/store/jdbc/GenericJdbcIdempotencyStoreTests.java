package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class GenericJdbcIdempotencyStoreTests {

    @Nested
    class OnH2 extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.generic());
        }
    }

    /** Its driver limits no silence. HikariCP would end a connection of which that is asked. */
    @Nested
    class OnHsqldb extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.hsqldb());
        }
    }

    abstract static class Store extends IdempotencyStoreContract {

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
        public IdempotencyStore store() {
            return store;
        }
    }
}
