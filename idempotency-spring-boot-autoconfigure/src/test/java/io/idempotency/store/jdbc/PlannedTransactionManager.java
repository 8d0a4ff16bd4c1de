package io.idempotency.store.jdbc;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** A transaction manager that does something else, or something besides, when a test says so. */
final class PlannedTransactionManager implements PlatformTransactionManager {

    private final PlatformTransactionManager manager;

    private final AtomicInteger begun = new AtomicInteger();

    private volatile Runnable beforeBegin = () -> {};

    private volatile Runnable afterBegin = () -> {};

    private final ThreadLocal<Runnable> atBegin = ThreadLocal.withInitial(() -> () -> {});

    private volatile Commit commit = PlatformTransactionManager::commit;

    PlannedTransactionManager(PlatformTransactionManager manager) {
        this.manager = manager;
    }

    /** What is done instead of a commit. */
    interface Commit {

        /** Takes effect on a connection that breaks before it brings the reply. */
        Commit APPLIED_AND_CUT = (manager, status) -> {
            status.flush();
            BoundConnection.ofThisThread().commit();
            BoundConnection.ofThisThread().cut();
            manager.commit(status);
        };

        /** Comes to a connection that has broken before, which looks the same. */
        Commit CUT = (manager, status) -> {
            status.flush();
            BoundConnection.ofThisThread().cut();
            manager.commit(status);
        };

        /** Takes effect, and a callback of the application fails. */
        Commit APPLIED_AND_FAILED = (manager, status) -> {
            manager.commit(status);
            throw new IllegalStateException("planted failure after the commit");
        };

        /** Takes no effect, as everybody is told. */
        Commit FAILED = (manager, status) -> {
            manager.rollback(status);
            throw new IllegalStateException("planted failure of the commit");
        };

        /** Takes effect, and what is called inside of it fails, so that everybody is told of a rollback. */
        Commit APPLIED_AND_ROLLED_BACK = (manager, status) -> {
            status.flush();
            BoundConnection.ofThisThread().commit();
            FAILED.of(manager, status);
        };

        void of(PlatformTransactionManager manager, TransactionStatus status);
    }

    /** Done by the next transaction before it has a connection. */
    void beforeBegin(Runnable action) {
        beforeBegin = action;
    }

    /** Done by the next transaction before its first statement. */
    void afterBegin(Runnable action) {
        afterBegin = action;
    }

    void commit(Commit commit) {
        this.commit = commit;
    }

    int begun() {
        return begun.get();
    }

    /** Done whenever the calling thread begins a transaction, before it has a connection. */
    void atBeginOfThisThread(Runnable action) {
        atBegin.set(action);
    }

    @Override
    public TransactionStatus getTransaction(TransactionDefinition definition) {
        atBegin.get().run();
        Runnable before = beforeBegin;
        beforeBegin = () -> {};
        before.run();
        TransactionStatus status = manager.getTransaction(definition);
        begun.incrementAndGet();
        Runnable after = afterBegin;
        afterBegin = () -> {};
        after.run();
        return status;
    }

    @Override
    public void commit(TransactionStatus status) {
        commit.of(manager, status);
    }

    @Override
    public void rollback(TransactionStatus status) {
        manager.rollback(status);
    }
}
