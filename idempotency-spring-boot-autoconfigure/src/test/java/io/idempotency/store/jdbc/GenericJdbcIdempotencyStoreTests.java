package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.Claim;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GenericJdbcIdempotencyStoreTests {

    @Nested
    class OnH2 extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.generic());
        }
    }

    /** Its driver limits no silence. HikariCP would end a connection of which that is asked. */
    @Nested
    class OnHsqldb extends Store {
        @BeforeAll
        static void open() {
            open(TestDatabase.hsqldb());
        }
    }

    abstract static class Store extends IdempotencyStoreContract {

        private static TestDatabase database;

        private static JdbcIdempotencyStore store;

        static void open(TestDatabase opened) {
            database = opened;
            store = database.openStore();
        }

        @AfterAll
        static void close() {
            store.close();
            database.close();
        }

        @Test
        void aRecordIsNotLockedAndTheMessageNamesTheDialect() {
            Claim claim = Claims.granted(store, Claims.newIdentity());

            assertThatIllegalStateException()
                    .isThrownBy(() -> store.lock(claim))
                    .withMessageContaining("The dialect 'generic' has no statement that locks a record");
        }

        @Override
        public IdempotencyStore store() {
            return store;
        }
    }
}
