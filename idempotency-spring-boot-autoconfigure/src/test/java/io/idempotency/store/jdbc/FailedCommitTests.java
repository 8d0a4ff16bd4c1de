package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationPolicy;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A transactional operation whose commit fails, or seems to. */
@ParameterizedClass
@MethodSource("settings")
class FailedCommitTests extends FaultyShopScenario {

    /** A lease that a busy machine does not lose before the record is locked. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
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

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", false, 1));

        assertThat(shop.events()).containsExactly("started", "recorded");
        isReplayed();
    }

    @Test
    void soIsOneOfWhichTheTransactionManagerTellsThatItWasRolledBack() {
        shop.transactionManager().commit(PlannedTransactionManager.Commit.APPLIED_AND_ROLLED_BACK);

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", false, 1));

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
        assertThat(book(2)).isEqualTo(new IdempotentResult<>("booked 2", false, 2));
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

    private void isReplayed() {
        assertThat(shop.rows()).containsExactly(1);
        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", true, 1));
        assertThat(shop.rows()).containsExactly(1);
    }
}
