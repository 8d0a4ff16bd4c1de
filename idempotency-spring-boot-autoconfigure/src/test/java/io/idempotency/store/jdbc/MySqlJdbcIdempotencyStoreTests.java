package io.idempotency.store.jdbc;

import io.idempotency.testsupport.TestServers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
        value = "isThere",
        disabledReason =
                "There is no MySQL: name one by IDEMPOTENCY_TEST_MYSQL, or start a Docker engine that has its image")
class MySqlJdbcIdempotencyStoreTests extends JdbcStoreContract {

    static boolean isThere() {
        return TestServers.mySql().isPresent();
    }

    @BeforeAll
    static void open() {
        open(TestDatabase.mySql());
    }
}
