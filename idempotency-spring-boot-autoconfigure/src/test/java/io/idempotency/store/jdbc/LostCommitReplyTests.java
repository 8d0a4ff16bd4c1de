package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.step.IdempotentSteps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A commit that takes effect on a connection that breaks before it answers. */
@Timeout(120)
class LostCommitReplyTests {

    private final AtomicBoolean breaking = new AtomicBoolean();

    private final AtomicInteger runs = new AtomicInteger();

    /** The transaction manager of JPA tells its callbacks of a rollback then. */
    @ParameterizedTest
    @EnumSource(TransactionalShop.Manager.class)
    void closesTheStepsThatHadJoinedToTheAttempt(TransactionalShop.Manager manager) {
        try (TransactionalShop shop = open(manager)) {
            IdempotentSteps steps = shop.steps();

            shop.idempotency().operation(TransactionalShop.OPERATION).key("key").execute(String.class, () -> {
                breaking.set(true);
                assertThatThrownBy(() ->
                                steps.step("outer").transactional().run(String.class, outer -> insert(shop, steps)))
                        .isInstanceOf(RuntimeException.class);
                assertThatIllegalStateException()
                        .isThrownBy(() -> insert(shop, steps))
                        .withMessageContaining("Nobody can tell yet");
                return "done";
            });

            assertThat(runs).hasValue(1);
            assertThat(shop.rows()).hasSize(1);
        }
    }

    private String insert(TransactionalShop shop, IdempotentSteps steps) {
        return steps.step("inner").transactional().run(String.class, inner -> {
            shop.insert(runs.incrementAndGet());
            return "inserted";
        });
    }

    private TransactionalShop open(TransactionalShop.Manager manager) {
        TestDatabase database = TestDatabase.Product.H2.open();
        TransactionalShop.Setting setting = TransactionalShop.Setting.all()
                .filter(each -> each.product() == TestDatabase.Product.H2
                        && !each.isRepeatableRead()
                        && each.manager() == manager)
                .findFirst()
                .orElseThrow();
        return TransactionalShop.open(setting, database, breaking(database.application()), TestDatabase.SETTINGS);
    }

    private DataSource breaking(DataSource database) {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                AtomicBoolean broken = new AtomicBoolean();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (broken.get() && method.getName().equals("rollback")) {
                                throw new SQLException("The connection is broken", "08003");
                            }
                            try {
                                Object result = method.invoke(connection, arguments);
                                if (method.getName().equals("commit") && breaking.compareAndSet(true, false)) {
                                    broken.set(true);
                                    throw new SQLException("The connection broke", "08006");
                                }
                                return result;
                            } catch (InvocationTargetException failure) {
                                throw failure.getTargetException();
                            }
                        });
            }
        };
    }
}
