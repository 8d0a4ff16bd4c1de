package io.idempotency.web;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.validation.method.MethodValidationException;
import org.springframework.validation.method.ParameterValidationResult;

/** Tells exceptions that say how the handler ended from those that refuse a call, and who or what is refused. */
final class HandlerRefusals {

    private static final boolean VALIDATION_PRESENT = ClassUtils.isPresent(
            "jakarta.validation.ConstraintViolationException", HandlerRefusals.class.getClassLoader());

    /** By name, since this library is the user's own choice. */
    private static final Set<String> OF_CALLER = Set.of(
            "org.springframework.security.access.AccessDeniedException",
            "org.springframework.security.core.AuthenticationException");

    private HandlerRefusals() {}

    /**
     * Says whether the validation of a proxy, which stands between the claim and the handler, has refused the arguments of
     * this invocation, so that the handler did not begin. A violation that another bean found, or of what the handler has
     * returned, is a failure of its work. So is one of a call that it makes of itself: with the same arguments it would not
     * have begun.
     */
    static boolean isOfArguments(MethodInvocation invocation, Throwable thrown) {
        return thrown instanceof MethodValidationException violated
                ? isOfArguments(invocation, violated)
                : VALIDATION_PRESENT && Violations.areOfArguments(invocation, thrown);
    }

    private static boolean isOfArguments(MethodInvocation invocation, MethodValidationException violated) {
        return !violated.isForReturnValue()
                && isOfHandler(
                        invocation, violated.getTarget(), violated.getMethod().getName())
                && violated.getParameterValidationResults().stream().allMatch(result -> isGiven(invocation, result));
    }

    private static boolean isGiven(MethodInvocation invocation, ParameterValidationResult result) {
        int index = result.getMethodParameter().getParameterIndex();
        @Nullable Object[] arguments = invocation.getArguments();
        return index < arguments.length && Objects.equals(arguments[index], result.getArgument());
    }

    /** Looks at classes, since the handler may stand behind several proxies. */
    private static boolean isOfHandler(MethodInvocation invocation, @Nullable Object bean, String methodName) {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        return bean != null
                && target != null
                && method.getName().equals(methodName)
                && AopProxyUtils.ultimateTargetClass(bean).equals(AopProxyUtils.ultimateTargetClass(target));
    }

    /** Says whether somebody has refused the caller: at something that the handler does, or as an answer of its own. */
    static boolean isOfCaller(Throwable thrown) {
        return Stream.<Class<?>>iterate(thrown.getClass(), Objects::nonNull, type -> type.getSuperclass())
                .map(Class::getName)
                .anyMatch(OF_CALLER::contains);
    }

    /** Seen only where the library is on the class path. */
    private static final class Violations {

        static boolean areOfArguments(MethodInvocation invocation, Throwable thrown) {
            return thrown instanceof ConstraintViolationException violated
                    && violated.getConstraintViolations() != null
                    && !violated.getConstraintViolations().isEmpty()
                    && violated.getConstraintViolations().stream()
                            .allMatch(violation -> isOfArguments(invocation, violation));
        }

        private static boolean isOfArguments(MethodInvocation invocation, ConstraintViolation<?> violation) {
            return Arrays.equals(invocation.getArguments(), violation.getExecutableParameters())
                    && isOfHandler(
                            invocation,
                            violation.getRootBean(),
                            violation.getPropertyPath().iterator().next().getName());
        }
    }
}
