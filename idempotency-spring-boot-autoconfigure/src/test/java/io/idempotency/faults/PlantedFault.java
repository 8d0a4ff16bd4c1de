package io.idempotency.faults;

import io.idempotency.store.jdbc.JdbcDialect;
import io.idempotency.store.jdbc.JdbcDialects;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A statement of PostgreSQL that lacks what makes it right. */
enum PlantedFault {
    /** Both of two callers that find no record are granted. */
    CLAIM_IS_NOT_ATOMIC(
            "claim", "ON CONFLICT (id) DO NOTHING", "ON CONFLICT (id) DO UPDATE SET owner = excluded.owner"),

    FINGERPRINT_IS_NOT_COMPARED_IN_PROGRESS(
            "claim",
            "FALSE AS granted, state, attempt, owner, fingerprint",
            "FALSE AS granted, state, attempt, owner, CASE state WHEN 1 THEN :fingerprint ELSE fingerprint END AS fingerprint"),

    /** What was read before decides, though somebody else may have taken the record since. */
    TAKEOVER_DOES_NOT_LOOK_AGAIN("take", "AND attempt = :attempt", "OR attempt IS NULL AND attempt = :attempt"),

    STALE_OWNER_RENEWS("renew", "AND owner = :owner", ""),

    STALE_OWNER_COMPLETES("complete", "AND owner = :owner", ""),

    STALE_OWNER_RELEASES("release", "AND owner = :owner", ""),

    OUTCOME_IS_LOST("complete", "outcome = :outcome", "outcome = NULL"),

    COMPLETION_IS_LOST("complete", "SET state = 2", "SET state = 3"),

    OUTCOME_EXPIRES_TOO_EARLY("complete", ":retention", ":retention / 4"),

    LEASE_IS_TOO_SHORT("renew", ":lease", ":lease / 4"),

    DOUBT_OF_ANOTHER_ATTEMPT_IS_RESOLVED("resolve", "AND attempt = :attempt", "");

    private final String method;

    private final String right;

    private final String wrong;

    PlantedFault(String method, String right, String wrong) {
        this.method = method;
        this.right = right;
        this.wrong = wrong;
    }

    /** Returns the statements of PostgreSQL, one of them broken. */
    JdbcDialect dialect() {
        JdbcDialect postgres = JdbcDialects.of("postgresql");
        return (JdbcDialect) Proxy.newProxyInstance(
                PlantedFault.class.getClassLoader(), new Class<?>[] {JdbcDialect.class}, (proxy, called, arguments) -> {
                    try {
                        Object result = called.invoke(postgres, arguments);
                        return called.getName().equals(method) ? broken((String) result) : result;
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }

    private String broken(@Nullable String statement) {
        if (statement == null || !statement.contains(right)) {
            throw new IllegalStateException(this + " cannot be planted: " + method + "() has no '" + right + "'");
        }
        return statement.replace(right, wrong);
    }
}
