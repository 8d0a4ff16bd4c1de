package io.idempotency.faults;

import static io.idempotency.faults.Breakage.script;
import static io.idempotency.faults.Breakage.statement;

import io.idempotency.testsupport.PreparedStatements;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A statement of the store in PostgreSQL and MariaDB, and a script of the one in Redis, that lacks what makes it right. It is
 * broken on its way to the driver, and takes as many parameters as before.
 */
enum PlantedFault {
    /**
     * All callers that find no record are granted. In the databases there is a moment for others to come and find none
     * either; in Redis there are two scripts instead of one.
     */
    CLAIM_IS_NOT_ATOMIC(
            statement(
                    "INSERT INTO",
                    "DO NOTHING",
                    "DO UPDATE SET owner = excluded.owner",
                    "WHERE NOT EXISTS",
                    "WHERE pg_sleep(0.005) IS NOT NULL AND NOT EXISTS",
                    "VALUES (?",
                    "VALUES (IF(SLEEP(0.005), NULL, ?)",
                    "MICROSECOND)",
                    "MICROSECOND) ON DUPLICATE KEY UPDATE owner = VALUES(owner)"),
            script("claim", "-- claim", "write = function() end -- claim")) {
        @Override
        @Nullable
        Object run(Breakage script, String text, Function<String, @Nullable Object> evaluation) {
            if (!script.isOf(text)) {
                return evaluation.apply(text);
            }
            boolean isFirst = isFirstGrant(evaluation.apply(script.applyTo(text)));
            return evaluation.apply(isFirst ? text.replace("= read()", "= true, nil") : text);
        }
    },

    /** What was read before decides, though somebody else may have taken the record since. */
    TAKEOVER_DOES_NOT_LOOK_AGAIN(
            statement("attempt = attempt + 1", "AND attempt = ?", "OR attempt = ? AND FALSE"), Breakage.NONE),

    TAKEOVER_DOES_NOT_WAIT_FOR_THE_LEASE(Breakage.NONE, script("claim", "remaining > 0", "false")),

    FINGERPRINT_IS_NOT_COMPARED(Breakage.NONE, script("claim", "record.fingerprint ~= fingerprint", "false")),

    ATTEMPTS_DO_NOT_COUNT(Breakage.NONE, script("claim", "record.attempt + 1", "record.attempt")),

    STALE_OWNER_RENEWS(
            statement("SET lease_until =", "owner = ?", "(owner = ? OR TRUE)"),
            script("renew", "or record.owner ~= ARGV[1]", "")),

    STALE_OWNER_COMPLETES(
            statement("SET state = 2", "owner = ?", "(owner = ? OR TRUE)"),
            script("complete", "or record.owner ~= owner", "")),

    STALE_OWNER_RELEASES(
            statement("SET state = 3", "owner = ?", "(owner = ? OR TRUE)"),
            script("release", "or record.owner ~= owner", "")),

    STALE_OWNER_HOLDS(
            statement("SET state = 4", "AND owner = ?", "AND (owner = ? OR TRUE)"),
            script("hold", "or record.owner ~= owner", "")),

    STALE_OWNER_RECORDS_STEP(
            statement("INTO idempotency_step", "owner = ?", "(owner = ? OR TRUE)"),
            script("step", "or record.owner ~= ARGV[1]", "")),

    TAKEOVER_FORGETS_STEPS(
            statement("attempt = attempt + 1", "generation = CASE", "generation = 1 + CASE"),
            script("claim", "if bound == 1 then", "if false then")),

    STEP_OF_ANOTHER_DOUBT_IS_RESOLVED(
            statement("SET state = 2, recorded_at", "attempt = ?", "(attempt = ? OR TRUE)"),
            script("resolve-step", "or record.attempt ~= tonumber(ARGV[1])", "")),

    OUTCOME_IS_LOST(
            statement("SET state = 2", "outcome = ?", "outcome = substr(?, 1, 2)"),
            script("complete", "ARGV[3])", "string.sub(ARGV[3], 1, 2))")),

    COMPLETION_IS_LOST(
            statement("SET state = 2, outcome", "SET state = 2", "SET state = 3"),
            script("complete", "COMPLETED, tonumber", "RETRYABLE, tonumber")),

    OUTCOME_EXPIRES_TOO_EARLY(
            statement("SET state = 2", "'1 microsecond'", "'1 microsecond' / 4", "? MICROSECOND", "? / 4 MICROSECOND"),
            script("complete", "tonumber(ARGV[2])", "math.floor(tonumber(ARGV[2]) / 4)")),

    LEASE_IS_TOO_SHORT(
            statement(
                    "SET lease_until =",
                    "'1 microsecond'",
                    "'1 microsecond' / 4",
                    "? MICROSECOND",
                    "? / 4 MICROSECOND"),
            script("renew", "tonumber(ARGV[2])", "math.floor(tonumber(ARGV[2]) / 4)")),

    DOUBT_OF_ANOTHER_ATTEMPT_IS_RESOLVED(
            statement("SET state = ?", "attempt = ?", "(attempt = ? OR TRUE)"),
            script("resolve:", "or record.attempt ~= tonumber(ARGV[1])", ""));

    private final Breakage statement;

    private final Breakage script;

    PlantedFault(Breakage statement, Breakage script) {
        this.statement = statement;
        this.script = script;
    }

    /** Says whether a store of this kind can have the fault. */
    boolean isPossibleIn(StoreAddress.Kind kind) {
        return (kind == StoreAddress.Kind.REDIS ? script : statement).isPlanned();
    }

    /** Returns the database as it is to those who use the broken statement. */
    DataSource plantIn(DataSource database) {
        return new PreparedStatements(database, statement::applyTo);
    }

    /** Returns Redis as it is to those who use the broken script. */
    RedisConnectionFactory plantIn(RedisConnectionFactory redis) {
        return RedisScripts.of(redis, (text, evaluation) -> run(script, text, evaluation));
    }

    @Nullable
    Object run(Breakage script, String text, Function<String, @Nullable Object> evaluation) {
        return evaluation.apply(script.applyTo(text));
    }

    private static boolean isFirstGrant(@Nullable Object reply) {
        return reply instanceof List<?> elements
                && elements.get(0) instanceof byte[] word
                && new String(word, StandardCharsets.UTF_8).equals("GRANTED")
                && elements.get(1).equals(1L);
    }
}
