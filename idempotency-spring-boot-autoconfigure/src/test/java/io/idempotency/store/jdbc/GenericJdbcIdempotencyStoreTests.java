package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.Claim;
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

    abstract static class Store extends JdbcStoreContract {

        @Test
        void aRecordIsNotLockedAndTheMessageNamesTheDialect() {
            Claim claim = Claims.granted(store(), Claims.newIdentity());

            assertThatIllegalStateException()
                    .isThrownBy(() -> store().lock(claim))
                    .withMessageContaining("The dialect 'generic' has no statement that locks a record");
        }
    }
}
