package io.idempotency.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/**
 * Tells who is calling a handler whose annotation names no scope: the same key in another scope is another identity. A bean
 * of this type replaces {@link #ofPrincipal()} for all handlers, for example to let the users of one tenant share their
 * keys, or to keep tenants apart that know the same user names.
 *
 * <p>It is asked after authentication, method security and validation, on the thread of the handler. It must not trust
 * what a client can write by itself, such as a header, unless somebody in between has checked it: who can choose the scope
 * reads the responses of others.
 */
@FunctionalInterface
public interface ScopeResolver {

    /**
     * Returns the scope of the caller.
     *
     * @param request the request as the handler sees it
     * @return at most 1024 characters, not blank; otherwise the request is answered with an error and nothing runs
     */
    String resolve(HttpServletRequest request);

    /** Returns the default: the name of the authenticated principal, and a scope of its own for anonymous callers. */
    static ScopeResolver ofPrincipal() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            // The prefix keeps the name of every user apart from the anonymous scope.
            return principal == null ? "anonymous" : "user:" + principal.getName();
        };
    }
}
