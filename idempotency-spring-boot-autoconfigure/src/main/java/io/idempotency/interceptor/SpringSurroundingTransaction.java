package io.idempotency.interceptor;

import io.idempotency.core.SurroundingTransaction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
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
        TransactionSynchronizationManager.registerSynchronization(new Ending(callback));
    }

    /**
     * Calls back with the end of what was done before it was registered. A rollback to a savepoint that is older undoes
     * that, whatever becomes of the transaction; savepoints that are set later are none of its concern.
     */
    private static final class Ending implements TransactionSynchronization {

        private final Consumer<End> callback;

        private final Set<Object> laterSavepoints = Collections.newSetFromMap(new IdentityHashMap<>());

        private boolean undone;

        Ending(Consumer<End> callback) {
            this.callback = callback;
        }

        @Override
        public void savepoint(Object savepoint) {
            laterSavepoints.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            undone = undone || !laterSavepoints.contains(savepoint);
        }

        @Override
        public void afterCompletion(int status) {
            callback.accept(undone ? End.ROLLED_BACK : end(status));
        }

        private static End end(int status) {
            return switch (status) {
                case STATUS_COMMITTED -> End.COMMITTED;
                case STATUS_ROLLED_BACK -> End.ROLLED_BACK;
                default -> End.UNKNOWN;
            };
        }
    }
}
