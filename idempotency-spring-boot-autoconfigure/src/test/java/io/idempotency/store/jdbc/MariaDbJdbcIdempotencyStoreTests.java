package io.idempotency.store.jdbc;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class MariaDbJdbcIdempotencyStoreTests {

    @Nested
    class WithItsDriverAsItComes extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDb());
        }
    }

    /** Rows that an update leaves as they were are not counted, and those of a batch not at all. */
    @Nested
    class WithADriverThatCountsOtherwise extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDb("?useAffectedRows=true&useBulkStmts=true"));
        }
    }

    @Nested
    class WithTheDriverOfMySql extends JdbcStoreContract {
        @BeforeAll
        static void open() {
            open(TestDatabase.mariaDbByTheDriverOfMySql());
        }
    }
}
