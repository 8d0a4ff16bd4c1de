package io.idempotency.interceptor;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.SurroundingTransaction;
import java.util.function.Consumer;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring's transaction management has opened on the calling thread. */
public final class SpringSurroundingTransaction implements SurroundingTransaction {

    private final CommitProbe probe;

    /** @param probe asked about commits that fail */
    public SpringSurroundingTransaction(CommitProbe probe) {
        this.probe = probe;
    }

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    @Override
    public void afterCompletion(Consumer<End> callback) {
        TransactionEnding.ofThisThread(probe).tell(callback);
    }
}
