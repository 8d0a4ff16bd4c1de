package io.idempotency.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Takes over those invocations of annotated methods whose outcome is not their return value, such as the handler of an
 * HTTP request. Without a door that owns it, an invocation is an ordinary call.
 */
public interface InvocationDoor {

    /** Says whether this door answers for the invocation. */
    boolean owns(MethodInvocation invocation);

    /** Invokes the method, or answers without it. Throws what the method throws, unchanged. */
    @Nullable
    Object invoke(MethodInvocation invocation, IdempotentMethod method) throws Throwable;
}
