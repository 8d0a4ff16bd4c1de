package io.idempotency.faults;

import io.idempotency.testsupport.PreparedStatements;
import java.util.List;
import javax.sql.DataSource;

/**
 * A statement of the store in PostgreSQL and MariaDB that lacks what makes it right. It is broken on its way to the driver,
 * and takes as many parameters as before.
 */
enum PlantedFault {
    /** All callers that find no record are granted; there is a moment for others to come and find none either. */
    CLAIM_IS_NOT_ATOMIC(
            "INSERT INTO",
            "DO NOTHING",
            "DO UPDATE SET owner = excluded.owner",
            "WHERE NOT EXISTS",
            "WHERE pg_sleep(0.005) IS NOT NULL AND NOT EXISTS",
            "VALUES (?",
            "VALUES (IF(SLEEP(0.005), NULL, ?)",
            "MICROSECOND)",
            "MICROSECOND) ON DUPLICATE KEY UPDATE owner = VALUES(owner)"),

    /** What was read before decides, though somebody else may have taken the record since. */
    TAKEOVER_DOES_NOT_LOOK_AGAIN("attempt = attempt + 1", "AND attempt = ?", "OR attempt = ? AND FALSE"),

    STALE_OWNER_RENEWS("SET lease_until =", "owner = ?", "(owner = ? OR TRUE)"),

    STALE_OWNER_COMPLETES("SET state = 2", "owner = ?", "(owner = ? OR TRUE)"),

    STALE_OWNER_RELEASES("SET state = 3", "owner = ?", "(owner = ? OR TRUE)"),

    STALE_OWNER_HOLDS("SET state = 4", "AND owner = ?", "AND (owner = ? OR TRUE)"),

    OUTCOME_IS_LOST("SET state = 2", "outcome = ?", "outcome = substr(?, 1, 2)"),

    COMPLETION_IS_LOST("SET state = 2", "SET state = 2", "SET state = 3"),

    OUTCOME_EXPIRES_TOO_EARLY(
            "SET state = 2", "'1 microsecond'", "'1 microsecond' / 4", "? MICROSECOND", "? / 4 MICROSECOND"),

    LEASE_IS_TOO_SHORT(
            "SET lease_until =", "'1 microsecond'", "'1 microsecond' / 4", "? MICROSECOND", "? / 4 MICROSECOND"),

    DOUBT_OF_ANOTHER_ATTEMPT_IS_RESOLVED("SET state = ?", "attempt = ?", "(attempt = ? OR TRUE)");

    private final String statement;

    private final List<String> rightAndWrong;

    /**
     * @param statement what the statement contains, and no other
     * @param rightAndWrong what is replaced, by what, and so on; not every database has all of it
     */
    PlantedFault(String statement, String... rightAndWrong) {
        this.statement = statement;
        this.rightAndWrong = List.of(rightAndWrong);
    }

    /** Returns the database as it is to those who use the broken statement. */
    DataSource plantIn(DataSource database) {
        return new PreparedStatements(database, this::broken);
    }

    private String broken(String text) {
        if (!text.contains(statement)) {
            return text;
        }
        String broken = text;
        for (int index = 0; index < rightAndWrong.size(); index += 2) {
            broken = broken.replace(rightAndWrong.get(index), rightAndWrong.get(index + 1));
        }
        return broken;
    }
}
