package io.idempotency.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database whose statements a test gets into its hands before they are prepared. */
public final class PreparedStatements extends DelegatingDataSource {

    private final Hand hand;

    public PreparedStatements(DataSource database, Hand hand) {
        super(database);
        this.hand = hand;
    }

    /** What a test does with a statement. */
    @FunctionalInterface
    public interface Hand {

        /** Returns the text that is to be prepared; may take its time, or fail as the database would. */
        String take(String sql) throws SQLException;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                PreparedStatements.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = hand.take((String) arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }
}
