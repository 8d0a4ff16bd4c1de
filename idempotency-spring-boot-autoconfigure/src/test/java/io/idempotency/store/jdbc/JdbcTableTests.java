package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found out of the tables before the first claim. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcTableTests {

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = product.open();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theTableMustBeThere() {
        database.dropTables();

        assertThatExceptionOfType(JdbcStoreSetupException.class)
                .isThrownBy(database::openStore)
                .withMessageContaining("idempotency_record")
                .satisfies(failure -> assertThat(failure.remedy())
                        .contains("io/idempotency/store/jdbc/schema-")
                        .contains("idempotency.jdbc.initialize-schema"));
    }

    @Test
    void theTableOfTheStepsMustBeThere() {
        database.jdbc().execute("DROP TABLE idempotency_step");

        assertThatExceptionOfType(JdbcStoreSetupException.class)
                .isThrownBy(database::openStore)
                .withMessageContaining("idempotency_step");
    }

    @Test
    void theTableMustHaveEveryColumn() {
        database.jdbc().execute("ALTER TABLE idempotency_record DROP COLUMN generation");

        assertThatExceptionOfType(JdbcStoreSetupException.class)
                .isThrownBy(database::openStore)
                .withMessageContaining("lacks a column")
                .satisfies(
                        failure -> assertThat(failure.getCause().getMessage()).containsIgnoringCase("generation"));
    }

    @Test
    void theTableMayHaveMoreColumns() {
        database.jdbc().execute("ALTER TABLE idempotency_record ADD COLUMN remark VARCHAR(10)");

        try (JdbcIdempotencyStore store = database.openStore()) {
            Claims.granted(store, Claims.newIdentity());
        }
    }

    @Test
    void theTablesMayLieInAnotherSchema() {
        String schema = database.newSchema();
        database.createTables(schema + ".idem_");

        try (JdbcIdempotencyStore store = database.openStore(
                database.application(), new JdbcStoreSettings(schema + ".idem_", 1, Duration.ofSeconds(20)))) {
            Claims.granted(store, Claims.newIdentity());
        }
        assertThat(database.jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_record", Integer.class))
                .isZero();
    }
}
