package io.idempotency.web;

import io.idempotency.annotation.Idempotent;
import io.idempotency.interceptor.HandlerMethods;
import io.idempotency.interceptor.IdempotentMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.service.annotation.HttpExchange;

/** Tells which methods handle requests of Spring MVC, and what keeps such a method from being protected. */
public final class WebHandlerMethods implements HandlerMethods {

    /** Creates the description of all handlers. */
    public WebHandlerMethods() {}

    @Override
    public boolean isHandlerClass(Class<?> beanClass) {
        return AnnotatedElementUtils.hasAnnotation(beanClass, Controller.class);
    }

    @Override
    public boolean isHandler(Method method, Class<?> beanClass) {
        return isHandlerClass(beanClass)
                && (AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
                        || AnnotatedElementUtils.hasAnnotation(method, HttpExchange.class));
    }

    @Override
    public boolean recordsReturnValue(IdempotentMethod handler) {
        return handler.policy().transaction().isPresent() && !answersSafeRequestsOnly(handler.method());
    }

    @Override
    public List<String> problems(IdempotentMethod handler) {
        List<String> problems = new ArrayList<>();
        if (isAnnotatedItself(handler.method()) && answersSafeRequestsOnly(handler.method())) {
            problems.add("It answers safe requests only, which need no protection; remove @Idempotent");
        }
        if (streams(ResolvableType.forMethodReturnType(handler.method(), handler.targetClass()))) {
            problems.add("It streams its response, which cannot be recorded; return the whole response, or put"
                    + " @Idempotent on the method of another bean that does the work");
        }
        if (!answersSafeRequestsOnly(handler.method())) {
            problems.addAll(ConflictingAnnotations.on(handler));
        }
        if (recordsReturnValue(handler)) {
            ReturnValueProblems.of(handler.method(), handler.targetClass()).stream()
                    .map("It is transactional, so that only what it returns is recorded, but "::concat)
                    .forEach(problems::add);
        }
        return problems;
    }

    /** An annotation on the class means those of its handlers that can be protected. */
    private static boolean isAnnotatedItself(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Idempotent.class);
    }

    private static boolean answersSafeRequestsOnly(Method method) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null) {
            return mapping.method().length > 0
                    && Stream.of(mapping.method()).map(Enum::name).allMatch(IdempotencyFilter::isSafe);
        }
        HttpExchange exchange = AnnotatedElementUtils.findMergedAnnotation(method, HttpExchange.class);
        return exchange != null && IdempotencyFilter.isSafe(exchange.method());
    }

    private static boolean streams(ResolvableType type) {
        Class<?> resolved = type.resolve();
        return resolved != null
                && (LaterResults.isStream(resolved)
                        || Stream.of(type.getGenerics()).anyMatch(WebHandlerMethods::streams));
    }
}
