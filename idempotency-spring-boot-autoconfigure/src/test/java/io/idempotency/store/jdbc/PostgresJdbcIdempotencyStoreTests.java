package io.idempotency.store.jdbc;

import org.junit.jupiter.api.BeforeAll;

class PostgresJdbcIdempotencyStoreTests extends JdbcStoreContract {

    @BeforeAll
    static void open() {
        open(TestDatabase.postgres());
    }
}
