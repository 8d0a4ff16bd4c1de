package io.idempotency.web;

import jakarta.servlet.ServletResponse;
import java.io.OutputStream;
import java.io.Writer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Finds what keeps the response of a handler from being rendered again from its return value, where only that is recorded. */
final class ReturnValueProblems {

    /** Besides futures, which no transactional method may return. */
    private static final List<Class<?>> LATER_BESIDES_FUTURES =
            List.of(Callable.class, DeferredResult.class, WebAsyncTask.class, StreamingResponseBody.class);

    private static final List<Class<?>> VIEWS = List.of(ModelAndView.class, View.class);

    private static final List<Class<?>> RESPONSES = List.of(ServletResponse.class, OutputStream.class, Writer.class);

    private ReturnValueProblems() {}

    /** Returns for each problem what the handler does, with its remedy. */
    static List<String> of(Method handler, Class<?> beanClass) {
        List<String> problems = new ArrayList<>();
        Class<?> type = handler.getReturnType();
        boolean writes = Stream.of(handler.getParameterTypes()).anyMatch(parameter -> isOneOf(RESPONSES, parameter));
        if (writes) {
            problems.add("it may write the response by itself; remove the parameter and return a ResponseEntity");
        }
        if (isOneOf(LATER_BESIDES_FUTURES, type) || isOneOf(LATER_BESIDES_FUTURES, bodyType(handler))) {
            problems.add("it answers later; return the value");
        } else if (isOneOf(VIEWS, type) || !(isBody(handler, beanClass) || (writes && type == void.class))) {
            problems.add(
                    "it answers by a view; return the value with @ResponseBody, or put @Idempotent on the method of"
                            + " another bean");
        }
        return problems;
    }

    private static Class<?> bodyType(Method handler) {
        return ResolvableType.forMethodReturnType(handler)
                .as(HttpEntity.class)
                .getGeneric()
                .resolve(Object.class);
    }

    private static boolean isBody(Method handler, Class<?> beanClass) {
        return HttpEntity.class.isAssignableFrom(handler.getReturnType())
                || AnnotatedElementUtils.hasAnnotation(handler, ResponseBody.class)
                || AnnotatedElementUtils.hasAnnotation(beanClass, ResponseBody.class);
    }

    private static boolean isOneOf(List<Class<?>> types, Class<?> type) {
        return types.stream().anyMatch(candidate -> candidate.isAssignableFrom(type));
    }
}
