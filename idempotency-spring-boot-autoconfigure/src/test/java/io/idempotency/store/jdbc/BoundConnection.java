package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The connection of the transaction on the calling thread, from a pool of Hikari. */
record BoundConnection(HikariDataSource pool, Connection connection) {

    static BoundConnection ofThisThread() {
        return TransactionSynchronizationManager.getResourceMap().entrySet().stream()
                .filter(resource -> resource.getValue() instanceof ConnectionHolder)
                .map(resource -> new BoundConnection(
                        (HikariDataSource) resource.getKey(), ((ConnectionHolder) resource.getValue()).getConnection()))
                .findFirst()
                .orElseThrow();
    }

    void commit() {
        try {
            connection.commit();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Closes it behind the back of everybody, by this thread: the pool would close it on another one, at some time. */
    void cut() {
        try {
            connection.unwrap(Connection.class).close();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        pool.evictConnection(connection);
    }
}
