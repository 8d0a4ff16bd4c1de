package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of a length that is none of ours. PostgreSQL keeps them; other databases fill them up or refuse them. */
class ForeignBytesTests {

    private final Identity identity = Claims.newIdentity();

    @ParameterizedTest
    @CsvSource({
        "owner, owner || owner",
        "owner, substring(owner FROM 1 FOR 7)",
        "owner, ''''''",
        "fingerprint, fingerprint || fingerprint",
        "fingerprint, substring(fingerprint FROM 1 FOR 7)",
        "fingerprint, ''''''"
    })
    void areAFailureAndNothingRuns(String column, String bytes) {
        try (TestDatabase database = TestDatabase.postgres();
                JdbcIdempotencyStore store = database.openStore()) {
            Claims.granted(store, identity);
            database.jdbc().update("UPDATE idempotency_record SET %s = %s".formatted(column, bytes));

            assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(() -> store.claim(Claims.request(identity)))
                    .withMessageContaining("another version");
        }
    }
}
