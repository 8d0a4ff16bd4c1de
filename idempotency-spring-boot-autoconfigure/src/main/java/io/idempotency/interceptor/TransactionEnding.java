package io.idempotency.interceptor;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.SurroundingTransaction.End;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The end of a transaction, which is bound to its thread while it is neither suspended nor about to end.
 *
 * <p>What a transaction manager tells of it is not enough. Where a commit fails, some say that nobody knows, though the
 * database has refused it, and some, such as that of JPA, that it was rolled back, though only its reply was lost. So the
 * connection is asked.
 *
 * <ol>
 *   <li>A transaction that nobody wanted to commit is rolled back, also where that failed.
 *   <li>A commit that failed on connections which still work is taken as refused.
 *   <li>Where one of them is broken, nobody knows.
 *   <li>Where Spring knows of none, as in a transaction of JTA, the transaction manager is believed.
 * </ol>
 *
 * <p>Confined to the thread of the transaction.
 */
final class TransactionEnding implements TransactionSynchronization {

    private static final Logger logger = LoggerFactory.getLogger(TransactionEnding.class);

    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final String COMMIT = "commit";

    private final CommitProbe probe;

    /** Told of the end of what was done before they came. */
    private final List<Consumer<End>> callbacks = new ArrayList<>();

    /** How many callbacks had come before a savepoint was set. */
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

    /** Was not there when the callbacks before the commit were called, if they were. */
    private final boolean late;

    private boolean committing;

    /** Knows nothing where it came too late to be told before the end. */
    private Optional<BooleanSupplier> refused = Optional.of(() -> false);

    private @Nullable End end;

    private TransactionEnding(CommitProbe probe) {
        this.probe = probe;
        this.late = calledOfManager().filter(COMMIT::equals).isPresent();
    }

    /** Returns that of the transaction on the calling thread, whose manager must know synchronizations. */
    static TransactionEnding ofThisThread(CommitProbe probe) {
        if (bound() instanceof TransactionEnding known) {
            return known;
        }
        TransactionEnding ending = new TransactionEnding(probe);
        TransactionSynchronizationManager.registerSynchronization(ending);
        ending.resume();
        return ending;
    }

    private static @Nullable Object bound() {
        return TransactionSynchronizationManager.getResource(TransactionEnding.class);
    }

    /** Says whether the transaction is the one on the calling thread. */
    boolean isOfThisThread() {
        return bound() == this;
    }

    /** Returns how the transaction has ended; empty before that. */
    Optional<End> end() {
        return Optional.ofNullable(end);
    }

    /**
     * Calls back once, when what was done so far is undone by a rollback to an older savepoint, or else with the end of the
     * transaction.
     */
    void tell(Consumer<End> callback) {
        callbacks.add(callback);
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(TransactionEnding.class);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(TransactionEnding.class, this);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, callbacks.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        List<Consumer<End>> later = callbacks.subList(savepoints.getOrDefault(savepoint, 0), callbacks.size());
        List<Consumer<End>> undone = List.copyOf(later);
        later.clear();
        savepoints.values().removeIf(count -> count > callbacks.size());
        undone.forEach(callback -> tell(callback, End.ROLLED_BACK));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        committing = true;
    }

    /** Comes after those whose connections are not the transaction's, and are given back before it ends. */
    @Override
    public void beforeCompletion() {
        suspend();
        committing = committing
                || calledOfManager().map(name -> late && name.equals(COMMIT)).orElse(true);
        refused = committing ? probe.connectionsOfTransaction() : Optional.empty();
    }

    /**
     * Returns by which method a transaction is ending, which is all that tells of a commit to what began in a callback before
     * it. Empty where none is, or others than Spring end it.
     */
    private static Optional<String> calledOfManager() {
        return CALLERS.walk(frames ->
                frames.filter(TransactionEnding::isEndOfTransaction).findFirst().map(StackFrame::getMethodName));
    }

    private static boolean isEndOfTransaction(StackFrame frame) {
        return PlatformTransactionManager.class.isAssignableFrom(frame.getDeclaringClass())
                && (frame.getMethodName().equals(COMMIT)
                        || frame.getMethodName().equals("rollback"));
    }

    @Override
    public void afterCompletion(int status) {
        if (isOfThisThread()) {
            suspend();
        }
        End known = endOf(status);
        end = known;
        callbacks.forEach(callback -> tell(callback, known));
    }

    private End endOf(int status) {
        if (status == STATUS_COMMITTED) {
            return End.COMMITTED;
        }
        return refused.map(asked -> isTrue(asked) ? End.REFUSED : End.UNKNOWN)
                .orElse(committing && status != STATUS_ROLLED_BACK ? End.UNKNOWN : End.ROLLED_BACK);
    }

    /** Drivers older than JDBC 4 lack the method that a connection is asked by, and proxies throw what they like. */
    private static boolean isTrue(BooleanSupplier refused) {
        try {
            return refused.getAsBoolean();
        } catch (RuntimeException | LinkageError failure) {
            logger.warn("What became of a commit that failed could not be asked, so it may have taken effect", failure);
            return false;
        }
    }

    /** One that fails must not keep the others, nor the transaction, from going on. */
    private static void tell(Consumer<End> callback, End end) {
        try {
            callback.accept(end);
        } catch (RuntimeException failure) {
            logger.error("What has happened in a transaction could not be ended with it", failure);
        }
    }
}
