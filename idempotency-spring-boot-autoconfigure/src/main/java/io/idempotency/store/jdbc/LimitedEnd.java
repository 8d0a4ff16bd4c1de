package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Limits how long the connection of a transaction may be silent while it is committed or rolled back. What the
 * application does before and after that has the limit of the application.
 */
final class LimitedEnd implements TransactionSynchronization {

    private static final Logger logger = LoggerFactory.getLogger(LimitedEnd.class);

    private final DataSource dataSource;

    private final SilenceLimit silenceLimit;

    private Runnable putBack = () -> {};

    LimitedEnd(DataSource dataSource, SilenceLimit silenceLimit) {
        this.dataSource = dataSource;
        this.silenceLimit = silenceLimit;
    }

    /** The limit is put back before others use the connection after the commit. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void beforeCompletion() {
        Connection connection = null;
        try {
            connection = DataSourceUtils.doGetConnection(dataSource);
            putBack = silenceLimit.begin(connection);
        } catch (SQLException broken) {
            logger.debug("A transaction ends without a limit, since its connection is gone", broken);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    @Override
    public void afterCommit() {
        putBack();
    }

    /** Comes before the transaction manager gives the connection back to its pool. */
    @Override
    public void afterCompletion(int status) {
        putBack();
    }

    private void putBack() {
        putBack.run();
        putBack = () -> {};
    }
}
