package io.idempotency.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Forwards without closing the response. After a forward Tomcat looks through all wrappers and closes the response at the
 * bottom, so that one which was held back could no longer be sent. It does not look through a response that is no
 * wrapper, but closes that itself.
 */
final class OpenResponseDispatcher implements RequestDispatcher {

    private final RequestDispatcher dispatcher;

    OpenResponseDispatcher(RequestDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        dispatcher.forward(request, unwrappable(response));
    }

    @Override
    public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        dispatcher.include(request, response);
    }

    private static ServletResponse unwrappable(ServletResponse response) {
        return (ServletResponse) Proxy.newProxyInstance(
                OpenResponseDispatcher.class.getClassLoader(),
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
