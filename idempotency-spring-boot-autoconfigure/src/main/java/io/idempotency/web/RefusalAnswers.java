package io.idempotency.web;

import io.idempotency.core.IdempotencyException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/**
 * Answers refusals with their problems in the way of the application: by its message converters, its messages for problem
 * details, its interceptors of error responses and its advice for response bodies. The resolver that runs the exception
 * handlers of the application runs the one of this class, as if it were that of the controller.
 */
final class RefusalAnswers {

    private final ApplicationContext context;

    private final HandlerMethod handler;

    private volatile @Nullable ExceptionHandlerExceptionResolver resolver;

    RefusalAnswers(ApplicationContext context) {
        this.context = context;
        this.handler = new HandlerMethod(
                this,
                Objects.requireNonNull(
                        ReflectionUtils.findMethod(RefusalAnswers.class, "problem", IdempotencyException.class)));
    }

    /** Answers with the problem of a refusal that has one. */
    ModelAndView answer(
            HttpServletRequest request,
            HttpServletResponse response,
            IdempotencyException refusal,
            ErrorResponse problem) {
        ModelAndView answer = resolver().resolveException(request, response, handler, refusal);
        if (answer == null) {
            // Nothing can write the body of the problem: what clients decide by is told all the same.
            response.setStatus(problem.getStatusCode().value());
            problem.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
            return new ModelAndView();
        }
        return answer;
    }

    @ExceptionHandler
    ErrorResponse problem(IdempotencyException refusal) {
        ErrorResponse problem = IdempotencyProblems.of(refusal).orElseThrow();
        problem.updateAndGetBody(context, LocaleContextHolder.getLocale());
        return problem;
    }

    private ExceptionHandlerExceptionResolver resolver() {
        ExceptionHandlerExceptionResolver found = resolver;
        if (found == null) {
            found = context.getBeanProvider(HandlerExceptionResolver.class)
                    .orderedStream()
                    .flatMap(bean -> bean instanceof HandlerExceptionResolverComposite composite
                            ? composite.getExceptionResolvers().stream()
                            : Stream.of(bean))
                    .filter(ExceptionHandlerExceptionResolver.class::isInstance)
                    .map(ExceptionHandlerExceptionResolver.class::cast)
                    .findFirst()
                    .orElseGet(this::ownResolver);
            resolver = found;
        }
        return found;
    }

    /** An application may do without exception handlers of its own. */
    private ExceptionHandlerExceptionResolver ownResolver() {
        ExceptionHandlerExceptionResolver own = new ExceptionHandlerExceptionResolver();
        own.setApplicationContext(context);
        own.afterPropertiesSet();
        return own;
    }
}
