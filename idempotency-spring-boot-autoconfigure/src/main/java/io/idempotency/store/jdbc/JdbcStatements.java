package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The statements of one store, ready to be executed: {@link RecordSql} with the name of the table. */
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
        Optional<NamedStatement> sweep,
        NamedStatement findForgotten,
        NamedStatement deleteForgotten,
        StepStatements steps) {

    static JdbcStatements of(JdbcDialect dialect, JdbcStoreSettings settings, TimeLimit timeLimit) {
        RecordSql sql = new RecordSql(dialect);
        Preparation preparation = new Preparation(settings.recordTable(), settings.stepTable(), timeLimit);
        return new JdbcStatements(
                preparation.of(sql.check()),
                preparation.of(sql.claim()),
                sql.insert().map(preparation::of),
                preparation.of(sql.take()),
                preparation.of(sql.abandon()),
                preparation.of(sql.renew()),
                sql.lock().map(preparation::of),
                preparation.of(sql.complete()),
                preparation.of(sql.release()),
                preparation.of(sql.hold()),
                preparation.of(sql.owned()),
                preparation.of(sql.resolve()),
                preparation.of(sql.find()),
                sql.sweep().map(preparation::of),
                preparation.of(sql.findForgotten()),
                preparation.of(sql.deleteForgotten()),
                StepStatements.of(new StepSql(dialect), preparation));
    }

    /** Says whether a record is in a state into which this owner has brought it. */
    boolean isOwned(Connection connection, Map<String, ?> parameters) throws SQLException {
        return owned.query(connection, parameters, row -> true).isPresent();
    }

    /** Puts the names of the tables into statements. */
    record Preparation(String recordTable, String stepTable, TimeLimit timeLimit) {

        NamedStatement of(String text) {
            return new NamedStatement(text.replace("{record}", recordTable).replace("{step}", stepTable), timeLimit);
        }
    }
}
