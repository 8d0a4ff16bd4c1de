package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.StepRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The values of the parameters that {@link JdbcDialect} names. */
final class RecordParameters {

    private static final int MAX_OPERATION_LENGTH = 255;

    /** 250 years: H2 counts in nanoseconds, whose number ends after 292. */
    private static final long LONGEST = TimeUnit.DAYS.toMicros(250 * 365);

    private RecordParameters() {}

    static Map<String, @Nullable Object> of(ClaimRequest request) {
        boolean hold = request.onAbandoned() == OnAbandoned.HOLD;
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("id", request.identity().digest());
        parameters.put("operation", cut(request.identity().operation()));
        parameters.put("owner", request.owner().toBytes());
        parameters.put("fingerprint", request.fingerprint().bytes());
        parameters.put("hold", hold);
        parameters.put("lease", microseconds(request.lease()));
        parameters.put("lifetime", hold ? null : microseconds(request.lifetime()));
        return parameters;
    }

    static Map<String, Object> of(Claim claim) {
        return Map.of(
                "id", claim.identity().digest(),
                "owner", claim.owner().toBytes(),
                "lease", microseconds(claim.lease()));
    }

    /** May be added to. */
    static Map<String, Object> of(Claim claim, Outcome outcome, Duration retention) {
        Map<String, Object> parameters = new HashMap<>(of(claim));
        parameters.put("outcome", outcome.toBytes());
        parameters.put("retention", microseconds(retention));
        return parameters;
    }

    static Map<String, @Nullable Object> of(Claim claim, StepRecord step) {
        Map<String, @Nullable Object> parameters = new HashMap<>(of(claim));
        parameters.put("step", step.step().digest());
        parameters.put("name", step.step().name());
        parameters.put("state", step.state().code());
        parameters.put("fingerprint", step.fingerprint().bytes());
        parameters.put("attempt", step.attempt());
        parameters.put("outcome", step.result() == null ? null : step.result().toBytes());
        parameters.put("yes", true);
        return parameters;
    }

    /**
     * @throws IllegalArgumentException if a token is not so long
     */
    static @Nullable OwnerToken token(byte @Nullable [] bytes) {
        return bytes == null ? null : OwnerToken.ofBytes(bytes);
    }

    static long microseconds(Duration duration) {
        return Math.min(TimeUnit.MICROSECONDS.convert(duration), LONGEST);
    }

    /** Cuts a name without cutting a character in two. */
    private static String cut(String operation) {
        if (operation.length() <= MAX_OPERATION_LENGTH) {
            return operation;
        }
        boolean wouldCutPair = Character.isHighSurrogate(operation.charAt(MAX_OPERATION_LENGTH - 1));
        return operation.substring(0, wouldCutPair ? MAX_OPERATION_LENGTH - 1 : MAX_OPERATION_LENGTH);
    }
}
