package io.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connects again and again while the database cannot be reached, for the thread of a pool that makes connections. Left to
 * itself, HikariCP pauses between its tries, for up to five seconds in the end; callers wait for less than that, so that
 * the first calls after an outage would still be refused.
 *
 * <p>The first failure goes to the pool, which tells it to its callers. So does every failure of a database that is there
 * but refuses, such as one of a password: it is not to be asked ten times a second. And so does every failure until there has
 * been a connection: how long a start waits for the database, the configuration of the pool decides.
 */
final class PersistentDataSource extends DelegatingDataSource {

    private static final long PAUSE_MILLIS = 100;

    /** The class of SQL states of connections that do not come about or break. */
    private static final String UNREACHABLE = "08";

    /** What PostgreSQL says while it starts. */
    private static final String STARTING = "57P03";

    private volatile boolean known;

    private volatile boolean away;

    PersistentDataSource(DataSource database) {
        super(database);
    }

    /**
     * Does nothing. HikariCP passes on here how long callers wait for a connection. The source of connections, and the driver
     * manager even more so, is also that of the application's pool, which would give up its own logins after as little time.
     */
    @Override
    public void setLoginTimeout(int seconds) {}

    private interface Connecting {
        Connection connect() throws SQLException;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return persist(super::getConnection);
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return persist(() -> super.getConnection(username, password));
    }

    private Connection persist(Connecting connecting) throws SQLException {
        while (true) {
            try {
                Connection connection = connecting.connect();
                known = true;
                away = false;
                return connection;
            } catch (SQLException failure) {
                boolean told = away;
                away = known && isAway(failure);
                if (!told || !away || !pause()) {
                    throw failure;
                }
            }
        }
    }

    private static boolean isAway(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && (state.startsWith(UNREACHABLE) || state.equals(STARTING));
    }

    /** Returns false if the pool is closed meanwhile. */
    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
