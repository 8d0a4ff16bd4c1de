package io.idempotency.web;

import io.idempotency.core.IdempotencyException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Finds out which exceptions the application answers itself: those for which Spring MVC would choose an {@code
 * ExceptionHandler} method that is declared for a kind of {@link IdempotencyException}. A method for all exceptions was not
 * written with them in mind.
 */
final class ApplicationExceptionHandlers {

    private record Advice(ControllerAdviceBean bean, ExceptionHandlerMethodResolver methods) {}

    private final ApplicationContext context;

    private final Map<Class<?>, ExceptionHandlerMethodResolver> controllers = new ConcurrentHashMap<>();

    private volatile @Nullable List<Advice> advices;

    ApplicationExceptionHandlers(ApplicationContext context) {
        this.context = context;
    }

    boolean answer(IdempotencyException exception, @Nullable Object handler) {
        Class<?> controller = handler instanceof HandlerMethod method ? method.getBeanType() : null;
        ExceptionHandlerMappingInfo chosen = chosen(exception, controller);
        return chosen != null
                && chosen.getExceptionTypes().stream()
                        .anyMatch(type ->
                                IdempotencyException.class.isAssignableFrom(type) && type.isInstance(exception));
    }

    /** Looks in the order in which Spring MVC looks: the controller, then each advice that applies to it. */
    private @Nullable ExceptionHandlerMappingInfo chosen(
            IdempotencyException exception, @Nullable Class<?> controller) {
        if (controller != null) {
            ExceptionHandlerMappingInfo own = find(
                    controllers.computeIfAbsent(
                            ClassUtils.getUserClass(controller), ExceptionHandlerMethodResolver::new),
                    exception);
            if (own != null) {
                return own;
            }
        }
        for (Advice advice : advices()) {
            ExceptionHandlerMappingInfo found =
                    advice.bean().isApplicableToBeanType(controller) ? find(advice.methods(), exception) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable ExceptionHandlerMappingInfo find(
            ExceptionHandlerMethodResolver methods, IdempotencyException exception) {
        return methods.resolveExceptionMapping(exception, MediaType.ALL);
    }

    private List<Advice> advices() {
        List<Advice> found = advices;
        if (found == null) {
            found = ControllerAdviceBean.findAnnotatedBeans(context).stream()
                    .filter(bean -> bean.getBeanType() != null)
                    .map(bean -> new Advice(bean, new ExceptionHandlerMethodResolver(bean.getBeanType())))
                    .toList();
            advices = found;
        }
        return found;
    }
}
