package io.idempotency.faults;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.springframework.util.ClassUtils;

/** Tells when a store has answered a claim, and before and after it is told of a step. */
final class ObservedSteps {

    private ObservedSteps() {}

    static IdempotencyStore of(IdempotencyStore store, StepObserver observer) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                ObservedSteps.class.getClassLoader(),
                ClassUtils.getAllInterfacesForClass(store.getClass()),
                (proxy, verb, arguments) -> switch (verb.getName()) {
                    case "claim" -> {
                        Object answer = invoke(store, verb, arguments);
                        observer.claimAnswered((ClaimRequest) arguments[0]);
                        yield answer;
                    }
                    case "recordStep", "recordStepInTransaction" -> {
                        Claim claim = (Claim) arguments[0];
                        StepRecord step = (StepRecord) arguments[1];
                        boolean done = step.state() == StepState.DONE;
                        String name = step.step().name();
                        observer.reached(
                                claim.identity(), name, done ? StepPoint.BEFORE_RECORD : StepPoint.BEFORE_MARK);
                        Object answer = invoke(store, verb, arguments);
                        observer.reached(claim.identity(), name, done ? StepPoint.AFTER_RECORD : StepPoint.AFTER_MARK);
                        yield answer;
                    }
                    default -> invoke(store, verb, arguments);
                });
    }

    private static Object invoke(IdempotencyStore store, Method verb, Object[] arguments) throws Throwable {
        try {
            return verb.invoke(store, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }
}
