package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.RecordState;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.transaction.PlatformTransactionManager;

/** A shop whose store fails as a test says. */
abstract class FaultyShopScenario extends ShopScenario {

    final DisturbedStore faults = new DisturbedStore();

    @Override
    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting, faults::around);
    }

    final IdempotentResult<String> book(int number, OperationPolicy policy) {
        return book(number, policy, key);
    }

    final IdempotentResult<String> book(int number, OperationPolicy policy, String key) {
        return shop.call(key, policy).execute(String.class, () -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    /** Asserts that the key is free, and that the next call books. */
    final void executesOnceMore(long attempt) {
        assertThat(shop.store()
                        .find(TransactionalShop.identity(key))
                        .orElseThrow()
                        .state())
                .isEqualTo(RecordState.RETRYABLE);
        shop.transactionManager().commit(PlatformTransactionManager::commit);
        assertThat(book(1).attempt()).isEqualTo(attempt);
        assertThat(shop.rows()).containsExactly(1);
    }
}
