package io.idempotency.interceptor;

import io.idempotency.core.Fingerprint;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Takes the fingerprints of calls: of what an expression gives, or of all arguments. */
record ArgumentFingerprints(Supplier<? extends ValueFingerprinter> fingerprinter) {

    /**
     * Takes the fingerprint of a call.
     *
     * @param signature the method, for messages
     * @param expression gives what is compared; empty: all arguments
     * @throws InvalidIdempotentMethodException if that cannot be compared
     */
    Fingerprint of(MethodInvocation invocation, String signature, Optional<ArgumentExpression> expression) {
        try {
            return fingerprinter.get().fingerprint(comparedValues(invocation, expression));
        } catch (IllegalArgumentException unknown) {
            throw new InvalidIdempotentMethodException(
                    "The arguments of %s cannot be compared with those of a retry; say what is, such as fingerprint ="
                                    .formatted(signature)
                            + " \"#p0.amount\", or fingerprint = \"NONE\": "
                            + unknown.getMessage(),
                    unknown);
        }
    }

    private static @Nullable Object[] comparedValues(
            MethodInvocation invocation, Optional<ArgumentExpression> expression) {
        if (expression.isEmpty()) {
            return invocation.getArguments();
        }
        Object value = expression.get().value(invocation.getThis(), invocation.getMethod(), invocation.getArguments());
        return new @Nullable Object[] {value};
    }
}
