package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The dialects that this library brings along. */
public final class JdbcDialects {

    private static final List<JdbcDialect> DIALECTS = List.of(new PostgresDialect(), new H2Dialect());

    private JdbcDialects() {}

    /**
     * Returns the dialect of a platform.
     *
     * @throws JdbcStoreSetupException if there is none
     */
    public static JdbcDialect of(String platform) {
        return find(platform)
                .orElseThrow(() -> unsupported("There are no statements for the platform '" + platform + "'"));
    }

    /**
     * Detects the dialect by the name with which the database introduces itself.
     *
     * @throws JdbcStoreSetupException if the database is not supported or cannot be reached
     */
    public static JdbcDialect detect(DataSource dataSource) {
        String product;
        try (Connection connection = dataSource.getConnection()) {
            product = connection.getMetaData().getDatabaseProductName();
        } catch (SQLException failure) {
            throw new JdbcStoreSetupException(
                    "The database of the idempotency store cannot be reached",
                    "Check the connection that the DataSource makes (spring.datasource.*).",
                    failure);
        }
        return find(product)
                .orElseThrow(() -> unsupported("There are no statements for the database '" + product + "'"));
    }

    private static Optional<JdbcDialect> find(String platform) {
        String name = platform.toLowerCase(Locale.ROOT);
        return DIALECTS.stream()
                .filter(dialect -> dialect.platform().equals(name))
                .findFirst();
    }

    private static JdbcStoreSetupException unsupported(String problem) {
        String supported = DIALECTS.stream().map(JdbcDialect::platform).collect(Collectors.joining(", "));
        return new JdbcStoreSetupException(
                problem,
                ("Supported are: %s. If the database speaks one of these languages under another name, set "
                                + "idempotency.jdbc.platform. For any other, define a bean of type JdbcDialect.")
                        .formatted(supported),
                null);
    }
}
