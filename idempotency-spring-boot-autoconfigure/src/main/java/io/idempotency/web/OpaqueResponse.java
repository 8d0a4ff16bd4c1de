package io.idempotency.web;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A response that Tomcat cannot look through. After a forward it looks through all wrappers and closes the response at the
 * bottom, so that one which is held back could no longer be sent. It closes only the outermost one where it finds
 * something that is no wrapper. Jetty closes the outermost one anyway, and needs to find its own for an include.
 */
final class OpaqueResponse extends HttpServletResponseWrapper {

    /** By name, since the server is the user's own choice. */
    private static final String TOMCAT = "org.apache.catalina.connector.ResponseFacade";

    private final HttpServletResponse original;

    private @Nullable HttpServletResponse bottom;

    private OpaqueResponse(HttpServletResponse original) {
        super(original);
        this.original = original;
    }

    /** Returns a response that does all that the given one does, or the given one on another server. */
    static HttpServletResponse of(HttpServletResponse response) {
        ServletResponse bottom = response;
        while (bottom instanceof ServletResponseWrapper wrapper) {
            bottom = wrapper.getResponse();
        }
        return bottom.getClass().getName().equals(TOMCAT) ? new OpaqueResponse(response) : response;
    }

    /** Only forwards and includes ask. To an include, Tomcat then gives a response of its own that is in between. */
    @Override
    @SuppressWarnings("ReferenceEquality") // it is the very response that must not be seen
    public ServletResponse getResponse() {
        ServletResponse wrapped = super.getResponse();
        if (wrapped != original) {
            return wrapped;
        }
        if (bottom == null) {
            bottom = noWrapper(original);
        }
        return bottom;
    }

    private static HttpServletResponse noWrapper(HttpServletResponse response) {
        return (HttpServletResponse) Proxy.newProxyInstance(
                OpaqueResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(response, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }
}
