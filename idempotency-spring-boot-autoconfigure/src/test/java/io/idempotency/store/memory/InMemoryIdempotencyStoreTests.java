package io.idempotency.store.memory;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;

class InMemoryIdempotencyStoreTests extends IdempotencyStoreContract {

    private static final IdempotencyStore STORE = new InMemoryIdempotencyStore(10_000);

    @Override
    public IdempotencyStore store() {
        return STORE;
    }
}
