package io.idempotency.interceptor;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.SurroundingTransaction.End;
import io.idempotency.core.TransactionSettings;
import io.idempotency.core.WorkTransactions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionUsageException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Opens transactions by the transaction managers of the application, which are looked for when they are needed. */
public final class SpringWorkTransactions implements WorkTransactions {

    private final Map<String, PlatformTransactionManager> managers = new ConcurrentHashMap<>();

    private final BeanFactory beanFactory;

    private final Supplier<? extends @Nullable PlatformTransactionManager> defaultManager;

    private final CommitProbe probe;

    /**
     * Creates the transactions of an application.
     *
     * @param beanFactory holds the managers that settings name
     * @param defaultManager gives the manager for settings that name none; {@code null} where none is meant
     * @param probe asked about commits that fail
     */
    public SpringWorkTransactions(
            BeanFactory beanFactory,
            Supplier<? extends @Nullable PlatformTransactionManager> defaultManager,
            CommitProbe probe) {
        this.beanFactory = beanFactory;
        this.defaultManager = defaultManager;
        this.probe = probe;
    }

    @Override
    public WorkTransaction begin(String operation, TransactionSettings settings, Duration timeout) {
        // What is open here, if anything, was found before and is no transaction.
        DefaultTransactionDefinition definition =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        definition.setName(operation);
        definition.setIsolationLevel(settings.isolation());
        definition.setTimeout((int) Math.min(timeout.plusNanos(999_999_999).toSeconds(), Integer.MAX_VALUE));
        PlatformTransactionManager manager = settings.manager().map(this::named).orElseGet(this::unnamed);
        try {
            return begun(manager, manager.getTransaction(definition), settings.isolation());
        } catch (TransactionUsageException misuse) {
            throw misuse;
        } catch (TransactionException failure) {
            throw new IdempotencyStoreException(
                    "No transaction could be opened, so nothing ran; check that the database can be reached, and that"
                            + " the connection pool of the application is large enough",
                    failure);
        }
    }

    private PlatformTransactionManager named(String name) {
        return managers.computeIfAbsent(name, missing -> {
            try {
                return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                        beanFactory, PlatformTransactionManager.class, name);
            } catch (NoSuchBeanDefinitionException unknown) {
                throw new IllegalStateException(
                        "There is no PlatformTransactionManager '%s'; correct the name in @Transactional"
                                .formatted(name),
                        unknown);
            }
        });
    }

    private PlatformTransactionManager unnamed() {
        PlatformTransactionManager manager = defaultManager.get();
        if (manager == null) {
            throw new IllegalStateException("There is no PlatformTransactionManager, or there are several; mark the one"
                    + " for the DataSource that the store is in with @IdempotencyTransactionManager");
        }
        return manager;
    }

    private WorkTransaction begun(PlatformTransactionManager manager, TransactionStatus status, int isolation) {
        TransactionEnding ending = TransactionSynchronizationManager.isSynchronizationActive()
                ? TransactionEnding.ofThisThread(probe)
                : null;
        return new Begun(manager, status, isolation, ending);
    }

    private final class Begun implements WorkTransaction {

        private final PlatformTransactionManager manager;

        private final TransactionStatus status;

        private final int isolation;

        /** Is {@code null} where the transaction manager knows no synchronizations, so that no step can join. */
        private final @Nullable TransactionEnding ending;

        private boolean rolledBack;

        Begun(
                PlatformTransactionManager manager,
                TransactionStatus status,
                int isolation,
                @Nullable TransactionEnding ending) {
            this.manager = manager;
            this.status = status;
            this.isolation = isolation;
            this.ending = ending;
        }

        @Override
        public Optional<String> obstacle(TransactionSettings settings) {
            if (ending == null) {
                return Optional.of(
                        "its transaction manager calls nobody back; leave out SYNCHRONIZATION_NEVER where the"
                                + " PlatformTransactionManager is configured");
            }
            if (!ending.isOfThisThread()) {
                return Optional.of("the transaction that it belongs to is suspended or over; call it inside of that"
                        + " transaction");
            }
            if (settings.manager().isPresent()
                    && settings.manager()
                                    .map(SpringWorkTransactions.this::named)
                                    .orElseThrow()
                            != manager) {
                return Optional.of(
                        ("it names the transaction manager '%s', but belongs to a transaction of another one;"
                                        + " name none in its @Transactional, or call it outside of that transaction")
                                .formatted(settings.manager().orElseThrow()));
            }
            return settings.isolation() == TransactionSettings.DATABASE_ISOLATION || settings.isolation() == isolation
                    ? Optional.empty()
                    : Optional.of(
                            "it asks for another isolation than the transaction that it belongs to has; ask for the"
                                    + " same in both, or for none in the step");
        }

        @Override
        public void flush() {
            status.flush();
        }

        @Override
        public void commit() {
            try {
                manager.commit(status);
            } catch (UnexpectedRollbackException certain) {
                rolledBack = true;
                throw certain;
            }
        }

        @Override
        public End end() {
            if (rolledBack) {
                return End.ROLLED_BACK;
            }
            return ending == null ? End.UNKNOWN : ending.end().orElse(End.UNKNOWN);
        }

        @Override
        public void rollBack() {
            manager.rollback(status);
        }
    }
}
