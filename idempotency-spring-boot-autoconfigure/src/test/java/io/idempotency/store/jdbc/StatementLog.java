package io.idempotency.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** What a data source was asked to execute, and to commit, in order. */
final class StatementLog {

    private final List<String> executed = new CopyOnWriteArrayList<>();

    List<String> executed() {
        return executed;
    }

    void clear() {
        executed.clear();
    }

    DataSource watching(DataSource target) {
        return proxy(
                DataSource.class,
                target,
                (result, name, arguments) -> result instanceof Connection connection ? watching(connection) : result);
    }

    private Connection watching(Connection target) {
        return proxy(Connection.class, target, (result, name, arguments) -> {
            if (name.equals("commit") || name.equals("rollback")) {
                executed.add(name);
            }
            return result instanceof PreparedStatement statement ? watching(statement, (String) arguments[0]) : result;
        });
    }

    private PreparedStatement watching(PreparedStatement target, String sql) {
        return proxy(PreparedStatement.class, target, (result, name, arguments) -> {
            if (name.startsWith("execute")) {
                executed.add(sql);
            }
            return result;
        });
    }

    private interface Watcher {
        Object called(Object result, String name, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, T target, Watcher watcher) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return watcher.called(method.invoke(target, arguments), method.getName(), arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
