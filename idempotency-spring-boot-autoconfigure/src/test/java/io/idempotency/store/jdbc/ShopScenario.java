package io.idempotency.store.jdbc;

import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotentResult;
import io.idempotency.core.IdempotentWork;
import io.idempotency.step.StepWork;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.springframework.transaction.support.TransactionTemplate;

/** A shop that each test has for itself, and what is done in it. */
@Timeout(120)
abstract class ShopScenario {

    @Parameter
    TransactionalShop.Setting setting;

    final String key = UUID.randomUUID().toString();

    final AtomicInteger runs = new AtomicInteger();

    TransactionalShop shop;

    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** Calls a transactional operation. */
    final IdempotentResult<String> book(int number) {
        return shop.call(key).execute(String.class, () -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    /** Calls an operation that is not transactional itself. */
    final String order(IdempotentWork<String, RuntimeException> work) {
        return shop.idempotency()
                .operation(TransactionalShop.OPERATION)
                .key(key)
                .execute(String.class, work)
                .value();
    }

    /** Asks for a transactional step that books. */
    final String step(String name, int number) {
        return step(name, step -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    /** Asks for a transactional step. */
    final <E extends Throwable> String step(String name, StepWork<String, E> work) throws E {
        return shop.steps()
                .step(name)
                .transactional(shop.policy().transaction().orElseThrow())
                .run(String.class, work);
    }

    /** Returns how many steps are recorded by transactions that are committed. */
    final int recordedSteps() {
        return shop.database().jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_step", Integer.class);
    }

    /** Works in a transaction of the application. */
    final void in(int propagation, Runnable work) {
        TransactionTemplate template = shop.transactions();
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(status -> work.run());
    }

    final void awaitTheEndOfTheLease() {
        await().until(() -> shop.store()
                .find(TransactionalShop.identity(key))
                .orElseThrow()
                .remainingLease()
                .isNegative());
    }

    static <T> T inAnotherThread(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call)
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
