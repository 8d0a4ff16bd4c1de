package io.idempotency.store.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database as it introduces itself. */
record DatabaseProduct(String name, int major, int minor) {

    /**
     * MariaDB calls itself MySQL to the driver of MySQL, and may put 5.5.5 before its version. The enterprise server has a
     * fourth number.
     */
    private static final Pattern MARIADB_VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.\\d+(?:-\\d+)?-MariaDB");

    /** Since these versions a database has all that its dialect uses. */
    private static final Map<String, DatabaseProduct> OLDEST = Map.of(
            "postgresql", new DatabaseProduct("postgresql", 12, 0),
            "mysql", new DatabaseProduct("mysql", 8, 0),
            "mariadb", new DatabaseProduct("mariadb", 10, 6),
            "h2", new DatabaseProduct("h2", 2, 2));

    static DatabaseProduct of(DatabaseMetaData metaData) throws SQLException {
        Matcher mariaDb = MARIADB_VERSION.matcher(metaData.getDatabaseProductVersion());
        return mariaDb.find()
                ? new DatabaseProduct("MariaDB", Integer.parseInt(mariaDb.group(1)), Integer.parseInt(mariaDb.group(2)))
                : new DatabaseProduct(
                        metaData.getDatabaseProductName(),
                        metaData.getDatabaseMajorVersion(),
                        metaData.getDatabaseMinorVersion());
    }

    String platform() {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * @throws JdbcStoreSetupException if the database lacks what the statements for it use
     */
    void requireSupportedVersion() {
        DatabaseProduct oldest = OLDEST.getOrDefault(platform(), this);
        if (major < oldest.major || (major == oldest.major && minor < oldest.minor)) {
            throw new JdbcStoreSetupException(
                    "%s %d.%d is too old for the idempotency store, which needs %d.%d"
                            .formatted(name, major, minor, oldest.major, oldest.minor),
                    "Upgrade the database, or define a bean of type JdbcDialect with statements that it understands.",
                    null);
        }
    }
}
