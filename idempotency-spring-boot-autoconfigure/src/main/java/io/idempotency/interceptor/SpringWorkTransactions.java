package io.idempotency.interceptor;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.TransactionSettings;
import io.idempotency.core.WorkTransactions;
import java.time.Duration;
import java.util.Map;
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
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Opens transactions by the transaction managers of the application, which are looked for when they are needed. */
public final class SpringWorkTransactions implements WorkTransactions {

    private final Map<String, PlatformTransactionManager> managers = new ConcurrentHashMap<>();

    private final BeanFactory beanFactory;

    private final Supplier<? extends @Nullable PlatformTransactionManager> defaultManager;

    /**
     * Creates the transactions of an application.
     *
     * @param beanFactory holds the managers that settings name
     * @param defaultManager gives the manager for settings that name none; {@code null} where none is meant
     */
    public SpringWorkTransactions(
            BeanFactory beanFactory, Supplier<? extends @Nullable PlatformTransactionManager> defaultManager) {
        this.beanFactory = beanFactory;
        this.defaultManager = defaultManager;
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
            return Begun.of(manager, manager.getTransaction(definition));
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

    /** @param mark is among the synchronizations of the calling thread while the transaction is neither suspended nor over */
    private record Begun(PlatformTransactionManager manager, TransactionStatus status, TransactionSynchronization mark)
            implements WorkTransaction {

        static Begun of(PlatformTransactionManager manager, TransactionStatus status) {
            TransactionSynchronization mark = new TransactionSynchronization() {};
            // A transaction manager may be set to know no synchronizations; then no step can join.
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(mark);
            }
            return new Begun(manager, status, mark);
        }

        @Override
        public boolean isCurrent() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.getSynchronizations().contains(mark);
        }

        @Override
        public void flush() {
            status.flush();
        }

        @Override
        public void commit() {
            manager.commit(status);
        }

        @Override
        public void rollBack() {
            manager.rollback(status);
        }
    }
}
