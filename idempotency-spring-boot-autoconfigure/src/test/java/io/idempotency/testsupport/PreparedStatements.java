package io.idempotency.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database whose statements a test gets into its hands before they are prepared. */
public final class PreparedStatements extends DelegatingDataSource {

    private final UnaryOperator<String> hand;

    /** @param hand returns the text that is to be prepared; it may take its time */
    public PreparedStatements(DataSource database, UnaryOperator<String> hand) {
        super(database);
        this.hand = hand;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                PreparedStatements.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = hand.apply((String) arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }
}
