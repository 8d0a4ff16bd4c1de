package io.idempotency.store.jdbc;

import java.util.Optional;

/**
 * Any database, in nothing but standard SQL, and untested with most.
 *
 * <p>No standard tells how a time is read without the time zone of a session or a server in it, or how microseconds are
 * added to one. So times are numbers here and come from the clock of the JVM, and those of all nodes must agree.
 *
 * <p>Nor is there a standard way around locked rows. A lock lasts for a moment only, that of one statement under autocommit
 * or of the few that record a step, so statements wait; but an operation inside the transaction of the database would hold
 * its lock for as long as it runs.
 */
final class GenericDialect implements JdbcDialect {

    @Override
    public String platform() {
        return "generic";
    }

    @Override
    public String now() {
        return ":now";
    }

    @Override
    public String nowPlus(String duration) {
        return ":" + duration + "_end";
    }

    @Override
    public String microsecondsUntil(String column) {
        return column + " - :now";
    }

    @Override
    public Optional<String> rowLock() {
        return Optional.empty();
    }

    @Override
    public String selectUnlocked(String condition) {
        return """
                SELECT id
                FROM {record}
                WHERE %s\
                """.formatted(condition);
    }

    @Override
    public String updateUnlocked(String assignments, String condition) {
        return """
                UPDATE {record}
                SET %s
                WHERE %s
                """.formatted(assignments, condition);
    }
}
