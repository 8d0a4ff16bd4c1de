package io.idempotency.interceptor;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.InvalidIdempotencyKeyException;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;

/** Makes the request for an ordinary call: key and scope by their expressions, the fingerprint from all arguments. */
final class OrdinaryCallRequests {

    private final ArgumentFingerprints fingerprints;

    OrdinaryCallRequests(Supplier<? extends ValueFingerprinter> fingerprinter) {
        this.fingerprints = new ArgumentFingerprints(fingerprinter);
    }

    IdempotencyRequest of(MethodInvocation invocation, IdempotentMethod method) {
        ArgumentExpression keyExpression = method.key()
                .orElseThrow(() -> new InvalidIdempotentMethodException(signature(method)
                        + " was called without a request and has no key; give it one, such as key = \"#p0.id\""));
        String key = text(keyExpression, invocation, method);
        String scope = method.scope()
                .map(expression -> text(expression, invocation, method))
                .orElse(null);
        Fingerprint fingerprint = fingerprint(invocation, method);
        try {
            return new IdempotencyRequest(
                    new IdempotencyKey(method.operation(), scope, key), fingerprint, method.policy());
        } catch (IllegalArgumentException malformed) {
            throw new InvalidIdempotencyKeyException(
                    InvalidIdempotencyKeyException.Reason.MALFORMED,
                    "A call of %s has no usable key: %s".formatted(signature(method), malformed.getMessage()));
        }
    }

    private static String text(ArgumentExpression expression, MethodInvocation invocation, IdempotentMethod method) {
        return expression.text(invocation.getThis(), method.method(), invocation.getArguments());
    }

    private Fingerprint fingerprint(MethodInvocation invocation, IdempotentMethod method) {
        if (method.fingerprintStrategy().stream().anyMatch(FingerprintStrategy.NONE::equals)) {
            return Fingerprint.none();
        }
        return fingerprints.of(invocation, signature(method), method.fingerprint());
    }

    private static String signature(IdempotentMethod method) {
        return Signature.of(method.method(), method.targetClass());
    }
}
