package io.idempotency.store.jdbc;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class H2JdbcIdempotencyStoreTests {

    @Nested
    class InItsOwnMode extends StoreInMode {
        @BeforeAll
        static void open() {
            open("REGULAR");
        }
    }

    @Nested
    class InThePostgresMode extends StoreInMode {
        @BeforeAll
        static void open() {
            open("PostgreSQL");
        }
    }

    @Nested
    class InTheMySqlMode extends StoreInMode {
        @BeforeAll
        static void open() {
            open("MySQL");
        }
    }

    @Nested
    class WithTheNamesOfMySql extends StoreInMode {
        @BeforeAll
        static void open() {
            open("MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE");
        }
    }

    abstract static class StoreInMode extends IdempotencyStoreContract {

        private static TestDatabase database;

        private static JdbcIdempotencyStore store;

        static void open(String mode) {
            database = TestDatabase.h2(mode);
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
