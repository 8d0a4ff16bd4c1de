package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class MariaDbJdbcIdempotencyStoreTests {

    @Nested
    class WithItsDriverAsItComes extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDb());
        }
    }

    /** Rows that an update leaves as they were are not counted, and those of a batch not at all. */
    @Nested
    class WithADriverThatCountsOtherwise extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDb("?useAffectedRows=true&useBulkStmts=true"));
        }
    }

    @Nested
    class WithTheDriverOfMySql extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDbByTheDriverOfMySql());
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
