package io.idempotency.web;

import io.idempotency.core.IdempotencyException;
import io.idempotency.core.InvalidIdempotencyKeyException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers what the HTTP door throws before anybody else does: a replay, which is no error, by nothing, since the filter
 * sends the recorded response; a refusal by its problem, unless the application has a handler for it.
 */
public final class IdempotencyExceptionResolver implements HandlerExceptionResolver, PriorityOrdered {

    private static final Logger logger = LoggerFactory.getLogger(IdempotencyExceptionResolver.class);

    private final ApplicationExceptionHandlers applicationHandlers;

    private final RefusalAnswers answers;

    /**
     * Creates a resolver for all handlers.
     *
     * @param context where the application's own exception handlers are
     */
    public IdempotencyExceptionResolver(ApplicationContext context) {
        this.applicationHandlers = new ApplicationExceptionHandlers(context);
        this.answers = new RefusalAnswers(context);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        // Once the exchange has ended, as in an ERROR dispatch, what is thrown has nothing to do with it.
        Optional<IdempotentExchange> exchange =
                IdempotentExchange.of(request).filter(begun -> !begun.atEnd().isTold());
        if (exchange.filter(IdempotentExchange::isReplay).isPresent()) {
            return new ModelAndView();
        }
        exchange.flatMap(IdempotentExchange::execution).ifPresent(execution -> execution.failed(thrown));
        Optional<IdempotencyException> refusal = exchange.flatMap(IdempotentExchange::refusal)
                .or(() -> refusalOfAnotherOperation(thrown))
                .filter(exception -> !applicationHandlers.answer(exception, handler));
        Optional<ErrorResponse> problem = refusal.flatMap(IdempotencyProblems::of);
        if (problem.isEmpty()) {
            return null;
        }
        logger.debug("Answered with a problem", refusal.get());
        return answers.answer(request, response, refusal.get(), problem.get());
    }

    /** A bean that the handler called was refused. That one had no usable key is not the client's fault. */
    private static Optional<IdempotencyException> refusalOfAnotherOperation(Exception thrown) {
        return thrown instanceof IdempotencyException refusal && !(refusal instanceof InvalidIdempotencyKeyException)
                ? Optional.of(refusal)
                : Optional.empty();
    }
}
