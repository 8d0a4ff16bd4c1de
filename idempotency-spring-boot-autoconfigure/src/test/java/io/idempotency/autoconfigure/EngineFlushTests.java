package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.ImmediateStore;
import io.idempotency.core.RecordState;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

/** A store whose connections stop when the context begins to end, as those of Redis do. */
class EngineFlushTests {

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(10);

    private final Connections connections = new Connections();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class))
            .withPropertyValues("idempotency.namespace=shop")
            .withBean(Connections.class, () -> connections)
            .withBean(IdempotencyStore.class, this::store);

    @Test
    void anOutcomeThatWaitsIsRecordedBeforeTheConnectionsStop() {
        application.run(context -> context.getBean(IdempotencyOperations.class)
                .operation("pay")
                .key("k")
                .execute(String.class, () -> "paid"));

        assertThat(connections.isRunning()).isFalse();
        assertThat(memory.find(Identity.of("shop", "pay", null, "k")))
                .hasValueSatisfying(record -> assertThat(record.state()).isEqualTo(RecordState.COMPLETED));
    }

    @Test
    void whereNothingIsProtectedThereIsNothingToFlush() {
        application.run(context ->
                assertThat(context.getBean(EngineFlush.class).isRunning()).isFalse());
    }

    private IdempotencyStore store() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                IdempotencyStore.class.getClassLoader(), new Class<?>[] {ImmediateStore.class}, new NeedsConnections());
    }

    /** Records outcomes only when the application stops; till then they wait. */
    private final class NeedsConnections implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, Method verb, Object[] arguments) throws Throwable {
            boolean waits = verb.getName().equals("complete")
                    && !Thread.currentThread().getName().startsWith("idempotency-last-tries");
            boolean ofTheStore = verb.getDeclaringClass() == IdempotencyStore.class;
            if (ofTheStore && (waits || !connections.isRunning())) {
                throw new IdempotencyStoreException("planted", null);
            }
            try {
                return verb.invoke(memory, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getCause();
            }
        }
    }

    private static final class Connections implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return 0;
        }
    }
}
