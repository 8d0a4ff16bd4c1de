package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Deletes many records that nobody needs any more. */
final class SweepBatch {

    private final JdbcStatements statements;

    SweepBatch(JdbcStatements statements) {
        this.statements = statements;
    }

    /** Returns how many were deleted. */
    int run(Connection connection, int limit) throws SQLException {
        Optional<NamedStatement> atOnce = statements.sweep();
        return atOnce.isPresent()
                ? atOnce.get().count(connection, Map.of("limit", limit))
                : oneByOne(connection, limit);
    }

    private int oneByOne(Connection connection, int limit) throws SQLException {
        List<Map<String, byte[]>> forgotten = statements
                .findForgotten()
                .queryList(connection, Map.of(), limit, row -> Map.of("id", row.getBytes("id")));
        if (forgotten.isEmpty()) {
            return 0;
        }
        int[] deleted = statements.deleteForgotten().updateEach(connection, forgotten);
        return IntStream.of(deleted)
                .map(rows -> rows == Statement.SUCCESS_NO_INFO ? 1 : rows)
                .sum();
    }
}
