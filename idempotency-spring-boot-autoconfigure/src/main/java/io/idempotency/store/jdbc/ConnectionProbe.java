package io.idempotency.store.jdbc;

import io.idempotency.core.CommitProbe;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHandle;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Asks the JDBC connections that a transaction manager of Spring has bound to the calling thread whether they still work.
 * A driver or a proxy that goes on with another server behind the same connection cannot be seen through: there a commit
 * whose reply was lost passes for one that was refused. So does one that took effect, where what is called after it fails,
 * as a listener of Hibernate. Thread-safe.
 */
public final class ConnectionProbe implements CommitProbe {

    private static final Logger logger = LoggerFactory.getLogger(ConnectionProbe.class);

    private static final int VALIDATION_TIMEOUT_SECONDS = 5;

    @Override
    public Optional<BooleanSupplier> connectionsOfTransaction() {
        List<ConnectionHandle> handles = TransactionSynchronizationManager.getResourceMap().values().stream()
                .filter(ConnectionHolder.class::isInstance)
                .map(ConnectionHolder.class::cast)
                .map(ConnectionHolder::getConnectionHandle)
                .filter(Objects::nonNull)
                .toList();
        if (handles.isEmpty()) {
            return Optional.empty();
        }
        // Later a handle might give another connection than the one that was to be committed.
        List<Optional<Connection>> connections =
                handles.stream().map(ConnectionProbe::connection).toList();
        return Optional.of(() -> connections.stream()
                .allMatch(
                        connection -> connection.filter(ConnectionProbe::works).isPresent()));
    }

    private static Optional<Connection> connection(ConnectionHandle handle) {
        try {
            return Optional.of(handle.getConnection());
        } catch (RuntimeException broken) {
            logger.debug("A transaction ends without its connection", broken);
            return Optional.empty();
        }
    }

    private static boolean works(Connection connection) {
        try {
            return connection.isValid(VALIDATION_TIMEOUT_SECONDS);
        } catch (SQLException broken) {
            logger.debug("A connection is broken after a commit that failed", broken);
            return false;
        }
    }
}
