package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnStoreFailure;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;

/** After every fault the rows and the record of a transactional operation agree, and its rows are there once at most. */
@ParameterizedClass
@MethodSource("settings")
class TransactionalFaultTests extends FaultyShopScenario {

    /** A lease that may be lost, though not before its claim has come. */
    private static final Duration SHORT = Duration.ofMillis(500);

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @Test
    void whoLostHisClaimWhileHeWaitedForAConnectionRunsNothing() {
        faults.fail(Set.of("renew"));
        shop.transactionManager().beforeBegin(() -> takeOverAndComplete(key));

        assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> book(1, shop.withLease(SHORT)));

        assertThat(runs).hasValue(0);
        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).startsWith("started").endsWith("refused").containsOnlyOnce("lost");
        assertThat(book(1).replayed()).isTrue();
    }

    @Test
    void whoLostHisTransactionInTheMiddleHasNoEffect() throws SQLException {
        OperationPolicy brief = shop.withLease(SHORT);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> shop.call(key, brief).execute(String.class, () -> {
                    loseTheTransaction();
                    awaitTheEndOfTheLease();
                    assertThat(inAnotherThread(() -> book(2)).attempt()).isEqualTo(2);
                    shop.insert(1);
                    return "paused for too long";
                }))
                .withMessageContaining("lost");

        assertThat(shop.rows()).containsExactly(2);
        assertThat(book(3)).isEqualTo(new IdempotentResult<>("booked 1", true, 2));
    }

    @Test
    void aRecordThatCannotBeLockedRunsNothing() {
        faults.fail(Set.of("lock"));

        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> book(1));

        assertThat(runs).hasValue(0);
        assertThat(shop.events()).containsExactly("started", "released", "refused");
        faults.heal();
        executesOnceMore(2);
    }

    @Test
    void anOutcomeThatCannotBeRecordedIsRolledBackWithItsRows() {
        faults.fail(Set.of("completeInTransaction"));

        assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> book(1));

        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).containsExactly("started", "released");
        faults.heal();
        executesOnceMore(2);
    }

    @Test
    void withoutAConnectionNothingRuns() {
        shop.transactionManager().beforeBegin(() -> {
            throw new CannotCreateTransactionException("planted");
        });

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> book(1))
                .withMessageContaining("nothing ran")
                .withMessageContaining("connection pool of the application")
                .withCauseInstanceOf(CannotCreateTransactionException.class);

        assertThat(runs).hasValue(0);
        assertThat(shop.events()).containsExactly("started", "released", "refused");
        executesOnceMore(2);
    }

    @Test
    void withoutAStoreNothingRunsEvenIfOthersMayProceed() {
        faults.fail(Set.of("claim"));

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> book(1, shop.policy().withOnStoreFailure(OnStoreFailure.PROCEED)));

        assertThat(runs).hasValue(0);
        assertThat(shop.rows()).isEmpty();
    }

    @Test
    void aRenewalThatWasUnderWayMakesItBeginAgainAtTheMost() {
        shop.transactionManager().afterBegin(() -> {
            if (setting.product() == TestDatabase.Product.MARIADB) {
                // The default since 11.6.2.
                shop.database().jdbc().execute("SET innodb_snapshot_isolation = ON");
            }
            // The snapshot of the transaction is older than the renewal.
            assertThat(shop.rows()).isEmpty();
            inAnotherThread(() -> shop.database().jdbc().update("UPDATE idempotency_record SET operation = 'renewed'"));
        });

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", false, 1));

        assertThat(shop.rows()).containsExactly(1);
        assertThat(shop.events()).containsExactly("started", "recorded");
        // The others lock the newest version of a row, whatever the snapshot.
        boolean conflict = setting.isRepeatableRead()
                && Set.of(TestDatabase.Product.POSTGRES, TestDatabase.Product.MARIADB)
                        .contains(setting.product());
        assertThat(shop.transactionManager().begun()).isEqualTo(conflict ? 2 : 1);
    }

    private void takeOverAndComplete(String key) {
        ClaimRequest other = ClaimRequest.of(
                TransactionalShop.identity(key), Fingerprint.none(), OwnerToken.random(), shop.policy());
        await().until(() -> shop.store().claim(other), ClaimOutcome.Granted.class::isInstance);
        ClaimOutcome.Granted taken = (ClaimOutcome.Granted) shop.store().claim(other);
        shop.store().complete(taken.claim(), TransactionalShop.codec().encode("by another"), Claims.RETENTION);
    }

    /** As if the database had ended the session of a JVM that stood still. */
    private void loseTheTransaction() throws SQLException {
        DataSourceUtils.getConnection(shop.database().application()).rollback();
    }
}
