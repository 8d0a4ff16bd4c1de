package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.testsupport.CapturedLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is in keys, arguments and results of methods is for nobody else. */
class ConfidentialityTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("idempotency.store=memory");

    @ParameterizedTest
    @ValueSource(strings = {"jane@example.com", "jane\r\nforged line"})
    void neitherKeysNorValuesAreLoggedOrThrown(String key) {
        List<Throwable> thrown = new ArrayList<>();
        try (CapturedLog log = new CapturedLog("ROOT", "DEBUG");
                CapturedLog ofSpring = new CapturedLog("org.springframework", "DEBUG")) {
            runner.withBean(Shop.class).run(context -> {
                Shop shop = context.getBean(Shop.class);
                thrown.add(catchThrowable(() -> shop.later(key)));
                thrown.add(catchThrowable(() -> shop.later(key)));
                thrown.add(catchThrowable(() -> shop.pay(key, 1)));
                thrown.add(catchThrowable(() -> shop.pay(key, 2)));
                thrown.add(catchThrowable(() -> shop.note(key, new Secret(key))));
                thrown.add(catchThrowable(() -> shop.secret(key)));
                thrown.add(catchThrowable(() -> shop.secret(key)));
                thrown.add(catchThrowable(() -> shop.byOrder(new Secret(key))));
            });
            runner.withBean(IdempotencyStore.class, UnreachableStore::create)
                    .withBean(Shop.class)
                    .run(context -> thrown.add(
                            catchThrowable(() -> context.getBean(Shop.class).pay(key, 1))));

            assertThat(thrown)
                    .filteredOn(Objects::nonNull)
                    .hasSizeGreaterThanOrEqualTo(5)
                    .allSatisfy(throwable -> {
                        StringWriter trace = new StringWriter();
                        throwable.printStackTrace(new PrintWriter(trace));
                        assertThat(trace.toString()).doesNotContain("jane").doesNotContain("forged");
                    });
            assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains("jane") || line.contains("forged"));
            assertThat(ofSpring.lines()).noneMatch(line -> line.contains("jane") || line.contains("forged"));
        }
    }

    static class Shop {

        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent("#id")
        public int pay(String id, int amount) {
            return runs.incrementAndGet();
        }

        @Idempotent("#id")
        public CompletableFuture<String> later(String id) {
            return new CompletableFuture<>();
        }

        @Idempotent("#id")
        public void note(String id, Secret secret) {}

        @Idempotent("#id")
        public Secret secret(String id) {
            return new Secret(id);
        }

        @Idempotent("#secret")
        public void byOrder(Secret secret) {}
    }

    /** Cannot be written as JSON, and would tell why. */
    static final class Secret {

        private final String text;

        Secret(String text) {
            this.text = text;
        }

        Secret() {
            this("");
        }

        public String getText() {
            throw new IllegalStateException("Nobody may know " + text);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A store behind a broken wire. */
    static final class UnreachableStore {

        private UnreachableStore() {}

        static IdempotencyStore create() {
            return (IdempotencyStore) Proxy.newProxyInstance(
                    IdempotencyStore.class.getClassLoader(),
                    new Class<?>[] {IdempotencyStore.class},
                    (proxy, method, arguments) -> {
                        throw new IdempotencyStoreException("The wire is broken", null);
                    });
        }
    }
}
