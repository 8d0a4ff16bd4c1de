package io.idempotency.interceptor;

import java.lang.reflect.Method;
import java.util.List;

/**
 * Tells which methods an {@link InvocationDoor} takes over, when the application starts and when a method is called for the
 * first time. Such a method may omit its key.
 */
public interface HandlerMethods {

    /**
     * Says whether a bean of the class has handlers. The annotation of such a class means its handlers and no other
     * methods.
     */
    boolean isHandlerClass(Class<?> beanClass);

    /** Says whether invocations of the method that come from outside are taken over. */
    boolean isHandler(Method method, Class<?> beanClass);

    /** Says whether the outcome of a handler is its return value, which must be recordable then. */
    boolean recordsReturnValue(IdempotentMethod handler);

    /**
     * Looks for what keeps a handler from being protected.
     *
     * @return one sentence for each problem, with its remedy and without the name of the method; empty where there is none
     */
    List<String> problems(IdempotentMethod handler);
}
