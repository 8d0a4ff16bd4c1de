package io.idempotency.step;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepJournal;
import io.idempotency.core.TransactionSettings;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fluent form of a step. */
record StepSpecification(
        StepCodecs codecs,
        Supplier<StepJournal> journal,
        String name,
        @Nullable String item,
        Fingerprint arguments,
        OnAbandoned onAbandoned,
        Optional<TransactionSettings> transaction)
        implements IdempotentSteps.StepSpec {

    @Override
    public IdempotentSteps.StepSpec item(String item) {
        if (item == null) {
            // Otherwise it would be the step without item, and the next one without would be told that it is the same.
            throw new IllegalArgumentException(
                    "The item of step '%s' is null; give it what tells the items apart".formatted(name));
        }
        return new StepSpecification(codecs, journal, name, item, arguments, onAbandoned, transaction);
    }

    @Override
    public IdempotentSteps.StepSpec arguments(Fingerprint arguments) {
        return new StepSpecification(codecs, journal, name, item, arguments, onAbandoned, transaction);
    }

    @Override
    public IdempotentSteps.StepSpec onAbandoned(OnAbandoned onAbandoned) {
        return new StepSpecification(codecs, journal, name, item, arguments, onAbandoned, transaction);
    }

    @Override
    public IdempotentSteps.StepSpec transactional(TransactionSettings settings) {
        return new StepSpecification(codecs, journal, name, item, arguments, onAbandoned, Optional.of(settings));
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T run(Class<T> type, StepWork<? extends T, E> work)
            throws E {
        return run((Type) type, work);
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T run(Type type, StepWork<? extends T, E> work) throws E {
        StepExecution<T> execution = execution(type);
        if (transaction.isEmpty()) {
            return execution.run(work, onAbandoned);
        }
        if (onAbandoned != OnAbandoned.RETRY) {
            throw new IllegalStateException(
                    "Step '%s' is transactional and so leaves nothing in doubt; do without onAbandoned"
                            .formatted(name));
        }
        return execution.runTransactional(work, transaction.get());
    }

    @Override
    @SuppressWarnings("NullAway") // the work's type is nullable here, which NullAway cannot tell on Java 17
    public <E extends Throwable> void run(StepAction<E> action) throws E {
        run((Type) Void.class, step -> {
            action.run(step);
            return null;
        });
    }

    @Override
    public <T, E extends Throwable> T runChecked(
            Class<T> type, StepWork<Optional<T>, E> check, StepWork<? extends T, E> work) throws E {
        return runChecked((Type) type, check, work);
    }

    @Override
    public <T, E extends Throwable> T runChecked(
            Type type, StepWork<Optional<T>, E> check, StepWork<? extends T, E> work) throws E {
        if (transaction.isPresent()) {
            throw new IllegalStateException(
                    "Step '%s' is transactional and so leaves nothing to check; use run".formatted(name));
        }
        if (onAbandoned != OnAbandoned.RETRY) {
            throw new IllegalStateException(
                    ("Step '%s' is looked up and run where nothing is found, so it is never held; do without onAbandoned, or"
                                    + " use run")
                            .formatted(name));
        }
        return this.<T>execution(type).runChecked(check, work);
    }

    private <T extends @Nullable Object> StepExecution<T> execution(Type type) {
        return new StepExecution<>(journal.get(), StepIdentity.of(name, item), arguments, codecs.of(type));
    }
}
