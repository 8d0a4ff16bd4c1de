package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OnStoreFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.RecordState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;

/** After every fault the rows and the record of a transactional operation agree, and its rows are there once at most. */
@ParameterizedClass
@MethodSource("settings")
@Timeout(120)
class TransactionalFaultTests {

    /** A lease that may be lost, though not before its claim has come. */
    private static final Duration SHORT = Duration.ofMillis(500);

    /** A lease that a busy machine does not lose before the record is locked. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    @Parameter
    private TransactionalShop.Setting setting;

    private final DisturbedStore faults = new DisturbedStore();

    private final String key = UUID.randomUUID().toString();

    private final AtomicInteger runs = new AtomicInteger();

    private TransactionalShop shop;

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting, faults::around);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void aCommitThatTookNoEffectReleasesTheKey() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.FAILED);

        assertThatIllegalStateException().isThrownBy(() -> book(1)).withMessageContaining("planted failure");

        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).containsExactly("started", "released");
        executesOnceMore(2);
    }

    @Test
    void aCommitThatTookEffectIsASuccessWhateverItThrew() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_FAILED);

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("run 1", false, 1));

        assertThat(shop.events()).containsExactly("started", "recorded");
        isReplayed();
    }

    @Test
    void soIsOneOfWhichTheTransactionManagerTellsThatItWasRolledBack() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_ROLLED_BACK);

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("run 1", false, 1));

        assertThat(shop.events()).containsExactly("started", "recorded");
        isReplayed();
    }

    @Test
    void whatBecameOfACommitThatIsNotAnsweredIsReadFromTheRecord() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.CUT);
        assertThatThrownBy(() -> book(1)).isInstanceOf(RuntimeException.class);
        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).containsExactly("started", "released");

        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_CUT);
        assertThat(book(2)).isEqualTo(new IdempotentResult<>("run 2", false, 2));
        assertThat(shop.rows()).containsExactly(2);
        assertThat(shop.events()).containsExactly("started", "released", "started", "recorded");
    }

    @Test
    void aCommitOfWhichNobodyKnowsIsFoundOutLaterIfItTookEffect() {
        shop.transactionManager().commit((manager, status) -> {
            faults.fail(DisturbedStore.OUTSIDE);
            PlannedTransactionManager.Commit.APPLIED_AND_CUT.of(manager, status);
        });

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> book(1))
                .withMessageContaining("Nobody can tell yet");
        assertThat(shop.events()).containsExactly("started", "recording failed");
        faults.heal();

        await().untilAsserted(
                        () -> assertThat(shop.events()).containsExactly("started", "recording failed", "recorded"));
        isReplayed();
    }

    @Test
    void aCommitOfWhichNobodyKnowsIsFoundOutLaterIfItTookNoEffect() {
        OperationPolicy brief = shop.withLease(KEPT);
        shop.transactionManager().commit((manager, status) -> {
            faults.fail(DisturbedStore.OUTSIDE);
            PlannedTransactionManager.Commit.CUT.of(manager, status);
        });

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> shop.call(key, brief).execute(String.class, () -> {
                    shop.insert(1);
                    awaitTheEndOfTheLease();
                    return "booked";
                }))
                .withMessageContaining("Nobody can tell yet");
        faults.heal();

        await().untilAsserted(
                        () -> assertThat(shop.events()).containsExactly("started", "recording failed", "released"));
        assertThat(shop.rows()).isEmpty();
        executesOnceMore(2);
    }

    @Test
    void aFailedCommitMayLeaveADoubtUnlessItTookEffect() {
        OperationPolicy holding = shop.policy().withOnFailure(OnFailure.HOLD);
        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_CUT);
        assertThat(book(1, holding).replayed()).isFalse();
        isReplayed();

        shop.transactionManager().commit(PlannedTransactionManager.Commit.CUT);
        String other = UUID.randomUUID().toString();
        assertThatThrownBy(() -> book(2, holding, other)).isInstanceOf(RuntimeException.class);

        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> book(2, holding, other));
        assertThat(shop.rows()).containsExactly(1);
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
        assertThat(book(3)).isEqualTo(new IdempotentResult<>("run 1", true, 2));
    }

    /** As if the database had ended the session of a JVM that stood still. */
    private void loseTheTransaction() throws SQLException {
        DataSourceUtils.getConnection(shop.database().application()).rollback();
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

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("run 1", false, 1));

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

    private void awaitTheEndOfTheLease() {
        await().until(() -> shop.store()
                .find(TransactionalShop.identity(key))
                .orElseThrow()
                .remainingLease()
                .isNegative());
    }

    private void isReplayed() {
        assertThat(shop.rows()).containsExactly(1);
        assertThat(book(1)).isEqualTo(new IdempotentResult<>("run 1", true, 1));
        assertThat(shop.rows()).containsExactly(1);
    }

    private void executesOnceMore(long attempt) {
        assertThat(shop.store()
                        .find(TransactionalShop.identity(key))
                        .orElseThrow()
                        .state())
                .isEqualTo(RecordState.RETRYABLE);
        shop.transactionManager().commit(PlatformTransactionManager::commit);
        assertThat(book(1).attempt()).isEqualTo(attempt);
        assertThat(shop.rows()).containsExactly(1);
    }

    private IdempotentResult<String> book(int number) {
        return book(number, shop.policy());
    }

    private IdempotentResult<String> book(int number, OperationPolicy policy) {
        return book(number, policy, key);
    }

    private IdempotentResult<String> book(int number, OperationPolicy policy, String key) {
        return shop.call(key, policy).execute(String.class, () -> {
            shop.insert(number);
            return "run " + runs.incrementAndGet();
        });
    }

    private static <T> T inAnotherThread(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
