package io.idempotency.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs the script that creates the tables, with the configured prefix in their names.
 *
 * <p>A script that fails stops nothing yet. The tables may be there all the same, since the script has no
 * {@code IF NOT EXISTS} and has run before, or made by another node at this moment or by a user with more rights. The store
 * looks for them next.
 */
class JdbcSchemaInitializer extends DataSourceScriptDatabaseInitializer {

    private static final Logger logger = LoggerFactory.getLogger(JdbcSchemaInitializer.class);

    private static final List<String> TABLES = List.of("record", "step");

    /** That of a table, or of an index after what introduces it. */
    private static final Pattern PREFIX = Pattern.compile("(INDEX (?:IF NOT EXISTS )?)?(?<![\\w.])idempotency_");

    private final String tablePrefix;

    JdbcSchemaInitializer(
            DataSource dataSource, String platform, String tablePrefix, JdbcIdempotencyProperties properties) {
        super(dataSource, settings(platform, properties));
        this.tablePrefix = tablePrefix;
    }

    private static DatabaseInitializationSettings settings(String platform, JdbcIdempotencyProperties properties) {
        DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
        settings.setMode(properties.getInitializeSchema());
        String location = properties.getSchema().replace("@@platform@@", platform);
        // A dialect of the user's own need not bring a script that is not to run.
        boolean required = properties.getInitializeSchema() == DatabaseInitializationMode.ALWAYS;
        settings.setSchemaLocations(List.of(required ? location : "optional:" + location));
        return settings;
    }

    @Override
    protected void runScripts(Scripts scripts) {
        List<Resource> named = StreamSupport.stream(scripts.spliterator(), false)
                .map(this::withTablePrefix)
                .toList();
        Scripts ours = new Scripts(named).separator(scripts.getSeparator());
        try {
            super.runScripts(ours);
        } catch (DataAccessException failure) {
            runTheRest(ours, failure);
        }
    }

    private void runTheRest(Scripts scripts, DataAccessException failure) {
        if (!tablesAreThere()) {
            super.runScripts(scripts.continueOnError(true));
        }
        if (tablesAreThere()) {
            logger.info(
                    "Not all of the script for the tables of the idempotency store could be run, but they are there");
        } else {
            logger.warn("The script for the tables of the idempotency store failed", failure);
        }
    }

    private boolean tablesAreThere() {
        JdbcTemplate database = new JdbcTemplate(getDataSource());
        try {
            for (String table : TABLES) {
                database.queryForList("SELECT id FROM " + tablePrefix + table + " WHERE 1 = 0");
            }
            return true;
        } catch (DataAccessException missing) {
            return false;
        }
    }

    private Resource withTablePrefix(Resource script) {
        // An index lives in the schema of its table and is named without it.
        String bare = tablePrefix.substring(tablePrefix.indexOf('.') + 1);
        String text = PREFIX.matcher(text(script))
                .replaceAll(found -> found.group(1) == null ? tablePrefix : found.group(1) + bare);
        return new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), script.getDescription());
    }

    private static String text(Resource script) {
        try {
            return script.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
