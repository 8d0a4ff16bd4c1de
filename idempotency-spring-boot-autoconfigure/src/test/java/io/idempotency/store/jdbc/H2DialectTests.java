package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class H2DialectTests {

    private final H2Dialect dialect = new H2Dialect();

    @Test
    void aStatementThatMetASessionWhichEndedIsTriedAgain() {
        SQLException failure = new SQLException("General error", "HY000", 50000, new NullPointerException("planted"));

        assertThat(dialect.isConcurrencyFailure(failure)).isTrue();
    }

    @Test
    void anotherGeneralErrorIsNotTriedAgain() {
        SQLException failure = new SQLException("General error", "HY000", 50000, new IllegalStateException("planted"));

        assertThat(dialect.isConcurrencyFailure(failure)).isFalse();
    }
}
