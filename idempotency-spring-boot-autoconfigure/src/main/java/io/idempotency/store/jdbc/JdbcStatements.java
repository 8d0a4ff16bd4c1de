package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The statements of one store: those of its dialect and those that are the same everywhere, with the table's name. */
record JdbcStatements(
        NamedStatement check,
        NamedStatement claim,
        Optional<NamedStatement> insert,
        NamedStatement take,
        NamedStatement abandon,
        NamedStatement renew,
        Optional<NamedStatement> lock,
        NamedStatement complete,
        NamedStatement release,
        NamedStatement hold,
        NamedStatement owned,
        NamedStatement resolve,
        NamedStatement find,
        NamedStatement sweep) {

    /** Finds no row, but fails when the table or a column is missing. */
    private static final String CHECK = """
            SELECT id, operation, state, owner, attempt, generation, fingerprint, bound, hold_abandoned, lease_until,
                   expires_at, outcome
            FROM {record}
            WHERE 1 = 0
            """;

    private static final String HOLD = """
            UPDATE {record}
            SET state = 4, lease_until = NULL, expires_at = NULL
            WHERE id = :id AND owner = :owner AND state = 1
            """;

    private static final String OWNED = """
            SELECT state
            FROM {record}
            WHERE id = :id AND owner = :owner AND state = :state
            """;

    static JdbcStatements of(JdbcDialect dialect, String recordTable, TimeLimit timeLimit) {
        Preparation preparation = new Preparation(recordTable, timeLimit);
        return new JdbcStatements(
                preparation.of(CHECK),
                preparation.of(dialect.claim()),
                dialect.insert().map(preparation::of),
                preparation.of(dialect.take()),
                preparation.of(dialect.abandon()),
                preparation.of(dialect.renew()),
                dialect.lock().map(preparation::of),
                preparation.of(dialect.complete()),
                preparation.of(dialect.release()),
                preparation.of(HOLD),
                preparation.of(OWNED),
                preparation.of(dialect.resolve()),
                preparation.of(dialect.find()),
                preparation.of(dialect.sweep()));
    }

    /** Says whether a record is in a state into which this owner has brought it. */
    boolean isOwned(Connection connection, Map<String, ?> parameters) throws SQLException {
        return owned.query(connection, parameters, row -> true).isPresent();
    }

    private record Preparation(String recordTable, TimeLimit timeLimit) {

        NamedStatement of(String text) {
            return new NamedStatement(text.replace("{record}", recordTable), timeLimit);
        }
    }
}
