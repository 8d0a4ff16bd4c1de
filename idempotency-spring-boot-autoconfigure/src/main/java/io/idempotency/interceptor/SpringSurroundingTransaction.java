package io.idempotency.interceptor;

import io.idempotency.core.SurroundingTransaction;
import java.util.function.Consumer;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring's transaction management has opened on the calling thread. */
public final class SpringSurroundingTransaction implements SurroundingTransaction {

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    @Override
    public void afterCompletion(Consumer<End> callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                callback.accept(end(status));
            }
        });
    }

    private static End end(int status) {
        return switch (status) {
            case TransactionSynchronization.STATUS_COMMITTED -> End.COMMITTED;
            case TransactionSynchronization.STATUS_ROLLED_BACK -> End.ROLLED_BACK;
            default -> End.UNKNOWN;
        };
    }
}
