package io.idempotency.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** The properties of the JDBC store. */
@ConfigurationProperties("idempotency.jdbc")
public class JdbcIdempotencyProperties {

    /**
     * Prefix of the names of the tables.
     */
    private String tablePrefix = "idempotency_";

    /**
     * When the tables are created by the script that comes with the library.
     */
    private DatabaseInitializationMode initializeSchema = DatabaseInitializationMode.EMBEDDED;

    /**
     * Location of the script that creates the tables.
     */
    private String schema = "classpath:io/idempotency/store/jdbc/schema-@@platform@@.sql";

    /**
     * Platform that selects the script and the statements. When not set, it is detected from the database.
     */
    private @Nullable String platform;

    /**
     * Number of connections of the pool that the store has for itself; one of several is kept for renewals. With 0 it
     * shares the pool of the application.
     */
    private int poolSize = 4;

    private final Cleanup cleanup = new Cleanup();

    public String getTablePrefix() {
        return tablePrefix;
    }

    public void setTablePrefix(String tablePrefix) {
        this.tablePrefix = tablePrefix;
    }

    public DatabaseInitializationMode getInitializeSchema() {
        return initializeSchema;
    }

    public void setInitializeSchema(DatabaseInitializationMode initializeSchema) {
        this.initializeSchema = initializeSchema;
    }

    public String getSchema() {
        return schema;
    }

    public void setSchema(String schema) {
        this.schema = schema;
    }

    public @Nullable String getPlatform() {
        return platform;
    }

    public void setPlatform(@Nullable String platform) {
        this.platform = platform;
    }

    public int getPoolSize() {
        return poolSize;
    }

    public void setPoolSize(int poolSize) {
        this.poolSize = poolSize;
    }

    public Cleanup getCleanup() {
        return cleanup;
    }

    /** How expired records are deleted. */
    public static class Cleanup {

        /**
         * Whether this node deletes expired records.
         */
        private boolean enabled = true;

        /**
         * How long it is from one deletion of expired records to the next.
         */
        private Duration interval = Duration.ofMinutes(1);

        /**
         * How many expired records are deleted at once.
         */
        private int batchSize = 1000;

        public boolean isEnabled() {
            return enabled;
        }

        public void setEnabled(boolean enabled) {
            this.enabled = enabled;
        }

        public Duration getInterval() {
            return interval;
        }

        public void setInterval(Duration interval) {
            this.interval = interval;
        }

        public int getBatchSize() {
            return batchSize;
        }

        public void setBatchSize(int batchSize) {
            this.batchSize = batchSize;
        }
    }
}
