package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dialects that this library brings along. */
public final class JdbcDialects {

    private static final Logger logger = LoggerFactory.getLogger(JdbcDialects.class);

    private static final JdbcDialect GENERIC = new GenericDialect();

    private static final List<JdbcDialect> DIALECTS = List.of(
            new PostgresDialect(),
            new MariaDbDialect("mysql"),
            new MariaDbDialect("mariadb"),
            new H2Dialect(),
            GENERIC);

    private JdbcDialects() {}

    /**
     * Returns the dialect of a platform.
     *
     * @throws JdbcStoreSetupException if there is none
     */
    public static JdbcDialect of(String platform) {
        return find(platform.toLowerCase(Locale.ROOT)).orElseThrow(() -> {
            String platforms = DIALECTS.stream().map(JdbcDialect::platform).collect(Collectors.joining(", "));
            return new JdbcStoreSetupException(
                    "There are no statements for the platform '" + platform + "'",
                    "Set idempotency.jdbc.platform to one of: " + platforms
                            + ". For any other, define a bean of type JdbcDialect.",
                    null);
        });
    }

    /**
     * Detects the dialect by the name and version with which the database introduces itself. One that is not known gets
     * standard SQL, which is said at {@code WARN}.
     *
     * @throws JdbcStoreSetupException if the database is too old or cannot be reached
     */
    public static JdbcDialect detect(DataSource dataSource) {
        DatabaseProduct product = product(dataSource);
        product.requireSupportedVersion();
        return find(product.platform()).orElseGet(() -> {
            logger.warn(
                    "The idempotency store does not know the database '{}' and uses standard SQL, which is"
                            + " tested with H2 and HSQLDB only. Leases are on the clocks of the nodes, which must be synchronised. Set"
                            + " idempotency.jdbc.platform=generic to agree to this, or to the platform whose language the"
                            + " database speaks, or define a bean of type JdbcDialect",
                    product.name());
            return GENERIC;
        });
    }

    private static DatabaseProduct product(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return DatabaseProduct.of(connection.getMetaData());
        } catch (SQLException failure) {
            throw new JdbcStoreSetupException(
                    "The database of the idempotency store cannot be reached",
                    "Check the connection that the DataSource makes (spring.datasource.*).",
                    failure);
        }
    }

    private static Optional<JdbcDialect> find(String platform) {
        return DIALECTS.stream()
                .filter(dialect -> dialect.platform().equals(platform))
                .findFirst();
    }
}
