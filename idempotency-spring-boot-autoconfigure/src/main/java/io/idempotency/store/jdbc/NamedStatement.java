package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;

/**
 * A statement with named parameters, parsed once, and executed with a time limit on a connection that the caller chose.
 *
 * <p>Not a {@code JdbcTemplate}: within a transaction of the calling thread that would keep the connection until the
 * transaction ends.
 */
final class NamedStatement {

    private final ParsedSql parsed;

    private final String sql;

    private final TimeLimit timeLimit;

    NamedStatement(String text, TimeLimit timeLimit) {
        this.parsed = NamedParameterUtils.parseSqlStatement(text);
        this.sql = NamedParameterUtils.substituteNamedParameters(parsed, EmptySqlParameterSource.INSTANCE);
        this.timeLimit = timeLimit;
    }

    /** Makes a value of a row. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Returns what the first row is read as; empty where there is none. */
    <T> Optional<T> query(
            Connection connection, Map<String, ? extends @Nullable Object> parameters, RowReader<T> reader)
            throws SQLException {
        return execute(connection, statement -> {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
            }
        });
    }

    /** Returns what the first rows are read as, and no more of them than a number; 0 is all of them. */
    <T> List<T> queryList(
            Connection connection,
            Map<String, ? extends @Nullable Object> parameters,
            int maxRows,
            RowReader<? extends T> reader)
            throws SQLException {
        return execute(connection, statement -> {
            statement.setMaxRows(maxRows);
            bind(statement, parameters);
            List<T> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(reader.read(rows));
                }
            }
            return values;
        });
    }

    /** Returns whether a row was written. */
    boolean update(Connection connection, Map<String, ? extends @Nullable Object> parameters) throws SQLException {
        return count(connection, parameters) > 0;
    }

    /** Returns the number of rows that were written. */
    int count(Connection connection, Map<String, ? extends @Nullable Object> parameters) throws SQLException {
        return execute(connection, statement -> {
            bind(statement, parameters);
            return statement.executeUpdate();
        });
    }

    /** Returns the number of rows that were written, for each of the parameters. */
    int[] updateEach(Connection connection, List<? extends Map<String, ?>> batch) throws SQLException {
        return execute(connection, statement -> {
            for (Map<String, ?> parameters : batch) {
                bind(statement, parameters);
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    private <T> T execute(Connection connection, TimeLimit.Execution<PreparedStatement, T> execution)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return timeLimit.execute(statement, execution);
        }
    }

    private void bind(PreparedStatement statement, Map<String, ? extends @Nullable Object> parameters)
            throws SQLException {
        @Nullable
        Object[] values = NamedParameterUtils.buildValueArray(parsed, StatementParameters.of(parameters), null);
        for (int index = 0; index < values.length; index++) {
            if (values[index] instanceof SqlParameterValue nothing) {
                statement.setNull(index + 1, nothing.getSqlType());
            } else {
                statement.setObject(index + 1, values[index]);
            }
        }
    }
}
