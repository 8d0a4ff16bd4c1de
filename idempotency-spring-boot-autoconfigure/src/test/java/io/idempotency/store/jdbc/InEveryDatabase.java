package io.idempotency.store.jdbc;

import io.idempotency.core.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What is true of a store in each database that there is; each test has a new one. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
abstract class InEveryDatabase {

    @Parameter
    TestDatabase.Product product;

    TestDatabase database;

    JdbcIdempotencyStore store;

    final Identity identity = Claims.newIdentity();

    @BeforeEach
    void open() {
        database = product.open();
        store = database.openStore();
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }
}
