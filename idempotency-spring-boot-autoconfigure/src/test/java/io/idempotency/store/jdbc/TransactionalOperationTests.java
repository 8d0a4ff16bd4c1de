package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordState;
import io.idempotency.core.RecordedFailureException;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.UnexpectedRollbackException;

/** A transactional operation with nothing going wrong but its own work. */
@ParameterizedClass
@MethodSource("settings")
class TransactionalOperationTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @Test
    void recordAndRowsAreCommittedTogether() {
        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", false, 1));
        assertThat(shop.rows()).containsExactly(1);

        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", true, 1));
        assertThat(shop.rows()).containsExactly(1);
        assertThat(shop.events()).containsExactly("started", "recorded", "replayed");
    }

    @Test
    void neitherIsSeenBeforeTheCommit() {
        shop.call(key).execute(String.class, () -> {
            shop.insert(1);
            assertThat(inAnotherThread(shop::rows)).isEmpty();
            assertThat(shop.store()
                            .find(TransactionalShop.identity(key))
                            .orElseThrow()
                            .state())
                    .isEqualTo(RecordState.IN_PROGRESS);
            return "booked";
        });
    }

    @Test
    void everyThrowableRollsBackAndReleasesTheKey() {
        for (Throwable thrown : new Throwable[] {
            new IllegalArgumentException("unchecked"), new IOException("checked"), new AssertionError("error")
        }) {
            assertThatThrownBy(() -> shop.call(key).execute(String.class, () -> {
                        shop.insert(1);
                        throw thrown;
                    }))
                    .isSameAs(thrown);
            assertThat(shop.rows()).isEmpty();
        }

        assertThat(book(1).attempt()).isEqualTo(4);
        assertThat(shop.rows()).containsExactly(1);
        assertThat(shop.events())
                .containsExactly(
                        "started", "released", "started", "released", "started", "released", "started", "recorded");
    }

    @Test
    void aFailureMayBeTheOutcome() {
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.STORE);

        assertThatIllegalStateException().isThrownBy(() -> fail(policy));

        assertThatExceptionOfType(RecordedFailureException.class).isThrownBy(() -> fail(policy));
        assertThat(shop.rows()).isEmpty();
    }

    @Test
    void aViolationThatShowsWhenRowsAreWrittenIsAFailureOfTheWork() {
        book(1);
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.STORE);
        String other = UUID.randomUUID().toString();

        assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> bookAgain(other, policy));

        assertThatExceptionOfType(RecordedFailureException.class).isThrownBy(() -> bookAgain(other, policy));
    }

    @Test
    void aFailureMayLeaveADoubt() {
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.HOLD);

        assertThatIllegalStateException().isThrownBy(() -> fail(policy));

        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> fail(policy));
        assertThat(shop.rows()).isEmpty();
    }

    @Test
    void aTransactionThatCanOnlyBeRolledBackIsNoSuccess() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    shop.insert(1);
                    shop.transactions().executeWithoutResult(status -> status.setRollbackOnly());
                    return "booked";
                }));

        assertThat(shop.rows()).isEmpty();
        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked 1", false, 2));
        assertThat(shop.events()).containsExactly("started", "released", "started", "recorded");
    }

    @Test
    void aValueThatCannotBeReplayedIsATombstoneBesideItsRows() {
        IdempotentResult<String> first = shop.call(key).execute(String.class, () -> {
            shop.insert(1);
            return "x".repeat(TransactionalShop.MAX_OUTCOME_SIZE);
        });

        assertThat(first.replayed()).isFalse();
        assertThat(shop.rows()).containsExactly(1);
        assertThatExceptionOfType(OutcomeUnavailableException.class).isThrownBy(() -> book(2));
    }

    @Test
    void itCannotBeBegunWithoutBeingEnded() {
        IdempotencyRequest request = new IdempotencyRequest(
                new IdempotencyKey(TransactionalShop.OPERATION, null, key), Fingerprint.none(), shop.policy());

        assertThatIllegalStateException()
                .isThrownBy(() -> shop.idempotency().begin(request))
                .withMessageContaining(TransactionalShop.OPERATION);
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.idempotency()
                        .executeAsync(
                                request, TransactionalShop.codec(), () -> CompletableFuture.completedFuture("later")));

        assertThat(shop.store().find(TransactionalShop.identity(key))).isEmpty();
    }

    @Test
    void itIsTheOutermostCallOrNone() {
        shop.transactions()
                .executeWithoutResult(status -> assertThatIllegalStateException()
                        .isThrownBy(() -> book(1))
                        .withMessageContaining(TransactionalShop.OPERATION)
                        .withMessageContaining("open already"));

        assertThat(runs).hasValue(0);
        assertThat(shop.events()).isEmpty();
        assertThat(shop.store().find(TransactionalShop.identity(key))).isEmpty();
    }

    @Test
    void aPlainOperationInsideIsRecordedAfterTheCommit() {
        shop.call(key).execute(String.class, () -> {
            shop.insert(1);
            plain();
            assertThat(shop.events()).containsExactly("started", "started");
            return "booked";
        });

        assertThat(shop.events()).containsExactly("started", "started", "recorded", "recorded");
        assertThat(plain().replayed()).isTrue();
    }

    @Test
    void aPlainOperationInsideIsReleasedAfterTheRollback() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    plain();
                    throw new IllegalStateException("declined");
                }));

        assertThat(shop.events()).containsExactly("started", "started", "released", "released");
        assertThat(plain().replayed()).isFalse();
    }

    private void bookAgain(String key, OperationPolicy policy) {
        shop.call(key, policy).execute(String.class, () -> {
            shop.insert(1);
            return "booked";
        });
    }

    private void fail(OperationPolicy policy) {
        shop.call(key, policy).execute(String.class, () -> {
            shop.insert(1);
            throw new IllegalStateException("declined");
        });
    }

    private IdempotentResult<String> plain() {
        return shop.idempotency().operation("notify").key(key).execute(String.class, () -> "notified");
    }
}
