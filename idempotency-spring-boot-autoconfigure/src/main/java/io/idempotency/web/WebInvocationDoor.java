package io.idempotency.web;

import io.idempotency.core.Admission;
import io.idempotency.core.IdempotencyException;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.interceptor.InvocationDoor;
import io.idempotency.interceptor.RecordedValues;
import io.idempotency.interceptor.ValueFingerprinter;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Claims around the handler of a request, after authentication, method security, argument binding and validation. It owns
 * the one invocation that the request was mapped to; every other call of an annotated method is an ordinary call.
 */
public final class WebInvocationDoor implements InvocationDoor {

    private final Supplier<? extends IdempotencyOperations> operations;

    private final HandlerRequests requests;

    private final TransactionalHandlers transactionalHandlers;

    /**
     * Creates a door for all handlers.
     *
     * @param operations asked for at the first claim
     * @param codecs asked for at the first call of a transactional handler, whose return value is recorded
     * @param scopeResolver tells who is calling where the annotation does not
     * @param fingerprinter takes the fingerprints of what expressions give
     */
    public WebInvocationDoor(
            Supplier<? extends IdempotencyOperations> operations,
            Supplier<? extends OutcomeCodecFactory> codecs,
            ScopeResolver scopeResolver,
            ValueFingerprinter fingerprinter,
            WebSettings settings) {
        this.operations = operations;
        this.transactionalHandlers = new TransactionalHandlers(operations, new RecordedValues(codecs));
        this.requests = new HandlerRequests(new HeaderKey(settings), scopeResolver, fingerprinter);
    }

    @Override
    public boolean owns(MethodInvocation invocation) {
        return exchange().flatMap(exchange -> exchange.turnOf(invocation)).isPresent();
    }

    private static Optional<IdempotentExchange> exchange() {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
            return Optional.empty();
        }
        try {
            return IdempotentExchange.of(attributes.getRequest());
        } catch (RuntimeException recycled) {
            // The attributes were handed to a thread that has outlived the request; each server says so in its own way.
            return Optional.empty();
        }
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation, IdempotentMethod method) throws Throwable {
        IdempotentExchange exchange = exchange().orElseThrow();
        HandlerTurn turn = exchange.turnOf(invocation).orElseThrow();
        turn.begin();
        try {
            if (exchange.isSafe()) {
                return invocation.proceed();
            }
            return exchange.isPart(turn) ? exchange.executePart(invocation) : invoke(exchange, invocation, method);
        } finally {
            turn.end();
        }
    }

    /** Whatever advice around the handler does, one request claims once: what was refused or replayed stays so. */
    private @Nullable Object invoke(IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method)
            throws Throwable {
        if (exchange.isReplay()) {
            throw new ReplayException();
        }
        if (exchange.refusal().isPresent()) {
            throw exchange.refusal().get();
        }
        if (exchange.execution().isPresent()) {
            return exchange.repeat(exchange.execution().get(), invocation);
        }
        if (method.policy().transaction().isPresent()) {
            Optional<IdempotencyRequest> request = request(exchange, invocation, method);
            return request.isPresent()
                    ? transactionalHandlers.execute(request.get(), exchange, invocation, method)
                    : invocation.proceed();
        }
        Optional<Admission> admission = admit(exchange, invocation, method);
        if (admission.isEmpty()) {
            exchange.release();
            return invocation.proceed();
        }
        if (admission.get() instanceof Admission.Execute granted) {
            return exchange.execute(granted.execution(), method.policy(), invocation);
        }
        throw new ReplayException();
    }

    private Optional<IdempotencyRequest> request(
            IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        if (exchange.asked().isPresent()) {
            return exchange.asked();
        }
        try {
            Optional<IdempotencyRequest> request = requests.of(exchange, invocation, method);
            request.ifPresent(exchange::ask);
            return request;
        } catch (IdempotencyException refusal) {
            exchange.refuse(refusal);
            throw refusal;
        }
    }

    /** Claims; empty where the request has no key and needs none. */
    private Optional<Admission> admit(
            IdempotentExchange exchange, MethodInvocation invocation, IdempotentMethod method) {
        Optional<IdempotencyRequest> request = request(exchange, invocation, method);
        if (request.isEmpty()) {
            return Optional.empty();
        }
        try {
            Admission admission = operations.get().begin(request.get());
            if (admission instanceof Admission.Replay replay) {
                choose(exchange, replay);
            }
            return Optional.of(admission);
        } catch (IdempotencyException refusal) {
            exchange.refuse(refusal);
            throw refusal;
        }
    }

    private static void choose(IdempotentExchange exchange, Admission.Replay replay) {
        try {
            exchange.replay(replay.outcome());
        } catch (OutcomeCodecException unreadable) {
            throw new OutcomeUnavailableException(replay.identity(), unreadable.getMessage(), unreadable);
        }
    }
}
