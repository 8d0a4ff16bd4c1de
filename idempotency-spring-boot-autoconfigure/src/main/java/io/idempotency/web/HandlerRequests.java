package io.idempotency.web;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import io.idempotency.interceptor.ArgumentExpression;
import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.interceptor.ValueFingerprinter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.util.StringUtils;

/** Makes of the invocation of a handler what the engine is asked for: key, scope and fingerprint. */
final class HandlerRequests {

    private final HeaderKey headerKey;

    private final ScopeResolver scopeResolver;

    private final ValueFingerprinter fingerprinter;

    HandlerRequests(HeaderKey headerKey, ScopeResolver scopeResolver, ValueFingerprinter fingerprinter) {
        this.headerKey = headerKey;
        this.scopeResolver = scopeResolver;
        this.fingerprinter = fingerprinter;
    }

    /**
     * Returns the request; empty where there is no key and the operation does not require one.
     *
     * @throws InvalidIdempotencyKeyException if there is no key that can be accepted; the message is for the client
     * @throws HttpMessageNotReadableException if the body cannot be read, which Spring MVC answers as it does for arguments
     */
    Optional<IdempotencyRequest> of(IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        Optional<String> key = key(exchange, invocation, method);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new IdempotencyRequest(
                scoped(exchange, invocation, method, key.get()),
                fingerprint(exchange, invocation, method),
                method.policy()));
    }

    private Optional<String> key(IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        if (method.key().isEmpty()) {
            return headerKey.read(exchange.handled(), method);
        }
        try {
            return Optional.of(usable(method, text(method.key().get(), invocation)));
        } catch (InvalidIdempotencyKeyException invalid) {
            if (invalid.reason() == Reason.MISSING && !method.required()) {
                return Optional.empty();
            }
            // The original names the method and the expression, which is not the client's business.
            throw new InvalidIdempotencyKeyException(
                    invalid.reason(), "The request does not hold what its idempotency key is made of.", invalid);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidIdempotencyKeyException(
                    Reason.MALFORMED,
                    "What the idempotency key is made of is too long or holds control characters.",
                    invalid);
        }
    }

    /** The scope is the application's own choice: where it gives none, the client has done nothing wrong. */
    private IdempotencyKey scoped(
            IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method, String key) {
        try {
            return new IdempotencyKey(method.operation(), scope(exchange, invocation, method), key);
        } catch (InvalidIdempotencyKeyException | IllegalArgumentException unusable) {
            throw new IllegalStateException(
                    "The scope of operation %s cannot be used: %s".formatted(method.operation(), unusable.getMessage()),
                    unusable);
        }
    }

    private static String usable(IdempotentMethod method, String key) {
        return new IdempotencyKey(method.operation(), null, key).value();
    }

    private String scope(IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        if (method.scope().isPresent()) {
            return text(method.scope().get(), invocation);
        }
        String scope = scopeResolver.resolve(exchange.handled());
        if (!StringUtils.hasText(scope)) {
            // Without a scope, all callers would share their keys.
            throw new IllegalArgumentException("the ScopeResolver gives none");
        }
        return scope;
    }

    private static String text(ArgumentExpression expression, MethodInvocation invocation) {
        return expression.text(invocation.getThis(), invocation.getMethod(), invocation.getArguments());
    }

    private Fingerprint fingerprint(IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        if (method.fingerprint().isPresent()) {
            return fingerprint(invocation, method, method.fingerprint().get());
        }
        try {
            return exchange.fingerprint();
        } catch (IOException | ServletException unreadable) {
            throw new HttpMessageNotReadableException(
                    "The body of the request cannot be read",
                    unreadable,
                    new ServletServerHttpRequest(exchange.handled()));
        }
    }

    private Fingerprint fingerprint(
            MethodInvocation invocation, IdempotentMethod method, ArgumentExpression expression) {
        Object compared = expression.value(invocation.getThis(), invocation.getMethod(), invocation.getArguments());
        try {
            return fingerprinter.fingerprint(compared);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalStateException(
                    "What the fingerprint expression of operation %s gives cannot be compared; give another, or NONE: %s"
                            .formatted(method.operation(), unknown.getMessage()),
                    unknown);
        }
    }
}
