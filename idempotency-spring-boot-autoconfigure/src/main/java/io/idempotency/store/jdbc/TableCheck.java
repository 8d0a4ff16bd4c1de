package io.idempotency.store.jdbc;

import java.sql.SQLException;
import java.util.Map;
import org.springframework.jdbc.BadSqlGrammarException;

/** Looks for the table before the first claim does. */
final class TableCheck {

    private TableCheck() {}

    /**
     * @throws JdbcStoreSetupException if the table or a column is missing, or must not be read
     */
    static void run(JdbcConnections connections, NamedStatement check, String platform, String table) {
        connections.call("check the table " + table, connection -> {
            try {
                return check.query(connection, Map.of(), row -> true);
            } catch (SQLException failure) {
                if (JdbcConnections.translated(failure) instanceof BadSqlGrammarException) {
                    throw unusable(platform, table, failure);
                }
                throw failure;
            }
        });
    }

    private static JdbcStoreSetupException unusable(String platform, String table, SQLException failure) {
        return new JdbcStoreSetupException(
                "The table %s of the idempotency store is missing, lacks a column, or must not be read"
                        .formatted(table),
                ("Copy classpath:io/idempotency/store/jdbc/schema-%s.sql into your migrations, or set "
                                + "idempotency.jdbc.initialize-schema=always. If the table has another name, set "
                                + "idempotency.jdbc.table-prefix.")
                        .formatted(platform),
                failure);
    }
}
