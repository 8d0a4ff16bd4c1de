package io.idempotency.store.jdbc;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class H2JdbcIdempotencyStoreTests {

    @Nested
    class InItsOwnMode extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.h2("REGULAR"));
        }
    }

    @Nested
    class InThePostgresMode extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.h2("PostgreSQL"));
        }
    }

    @Nested
    class InTheMySqlMode extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.h2("MySQL"));
        }
    }

    @Nested
    class WithTheNamesOfMySql extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.h2("MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"));
        }
    }
}
