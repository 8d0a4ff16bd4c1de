package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyRequest;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordState;
import io.idempotency.core.RecordedFailureException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A transactional operation with nothing going wrong but its own work. */
@ParameterizedClass
@MethodSource("settings")
@Timeout(120)
class TransactionalOperationTests {

    /** Long enough that a busy machine does not lose it before the record is locked. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    @Parameter
    private TransactionalShop.Setting setting;

    private final String key = UUID.randomUUID().toString();

    private final AtomicInteger runs = new AtomicInteger();

    private TransactionalShop shop;

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting);
    }

    @AfterEach
    void close() {
        shop.close();
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

        assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> bookTwice(other, policy));

        assertThatExceptionOfType(RecordedFailureException.class).isThrownBy(() -> bookTwice(other, policy));
    }

    private void bookTwice(String key, OperationPolicy policy) {
        shop.call(key, policy).execute(String.class, () -> {
            shop.insert(1);
            return "booked";
        });
    }

    @Test
    void aFailureMayLeaveADoubt() {
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.HOLD);

        assertThatIllegalStateException().isThrownBy(() -> fail(policy));

        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> fail(policy));
        assertThat(shop.rows()).isEmpty();
    }

    private void fail(OperationPolicy policy) {
        shop.call(key, policy).execute(String.class, () -> {
            shop.insert(1);
            throw new IllegalStateException("declined");
        });
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
    void theLockIsTheLeaseForWorkThatOutlivesIt() {
        OperationPolicy brief = shop.withLease(BRIEF);

        IdempotentResult<String> result = shop.call(key, brief).execute(String.class, () -> {
            shop.insert(1);
            awaitTheEndOfTheLease();
            for (int duplicates = 0; duplicates < 3; duplicates++) {
                assertThatExceptionOfType(OperationInProgressException.class)
                        .isThrownBy(() -> inAnotherThread(() -> book(2)));
            }
            assertThat(IdempotencyContext.current().orElseThrow().isLeaseLost()).isFalse();
            return "booked";
        });

        assertThat(result).isEqualTo(new IdempotentResult<>("booked", false, 1));
        assertThat(book(1)).isEqualTo(new IdempotentResult<>("booked", true, 1));
        assertThat(shop.rows()).containsExactly(1);
        assertThat(shop.events()).doesNotContain("lost", "takeover");
    }

    @Test
    void workThatOutlivesItsLeaseAndFailsIsReleased() {
        OperationPolicy brief = shop.withLease(BRIEF);

        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key, brief).execute(String.class, () -> {
                    shop.insert(1);
                    awaitTheEndOfTheLease();
                    throw new IllegalStateException("declined");
                }));

        assertThat(shop.rows()).isEmpty();
        assertThat(shop.store()
                        .find(TransactionalShop.identity(key))
                        .orElseThrow()
                        .state())
                .isEqualTo(RecordState.RETRYABLE);
        assertThat(shop.events()).containsExactly("started", "released");
    }

    @Test
    void whatBecomesOfWorkThatOutlivesItsLeaseAndFailsIsWrittenUnlessSomebodyHasTakenOver() {
        OperationPolicy held = shop.withLease(BRIEF).withOnFailure(OnFailure.HOLD);

        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key, held).execute(String.class, () -> {
                    shop.insert(1);
                    awaitTheEndOfTheLease();
                    throw new IllegalStateException("no answer");
                }));

        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> fail(held));
        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).containsExactly("started", "held", "refused");
    }

    private void awaitTheEndOfTheLease() {
        await().until(() -> shop.store()
                .find(TransactionalShop.identity(key))
                .orElseThrow()
                .remainingLease()
                .isNegative());
    }

    @Test
    void retentionCountsFromTheRecordingAndNotFromTheBeginning() {
        OperationPolicy policy = shop.withLease(Duration.ofMillis(150)).withRetention(Duration.ofSeconds(60));
        AtomicReference<Timestamp> end = new AtomicReference<>();
        String clock = "SELECT " + shop.database().dialect().now();

        shop.call(key, policy).execute(String.class, () -> {
            read(clock);
            awaitTheEndOfTheLease();
            end.set(inAnotherThread(() -> read(clock)));
            return "booked";
        });

        assertThat(read("SELECT expires_at FROM idempotency_record").toInstant())
                .isAfterOrEqualTo(end.get().toInstant().plusSeconds(60));
    }

    private Timestamp read(String query) {
        return shop.database().jdbc().queryForObject(query, Timestamp.class);
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

    @Test
    void theEndOfTheTransactionAndNothingElseHasTheLimitOfTheStore() {
        int limit = SilenceLimit.of(TestDatabase.SETTINGS.timeout()).milliseconds();
        List<String> seen = new ArrayList<>();

        shop.call(key).execute(String.class, () -> {
            shop.insert(1);
            seeLimits(seen);
            return "booked";
        });
        assertThat(seen)
                .containsExactly(
                        "before commit 0", "before completion " + limit, "after commit 0", "after completion 0");

        seen.clear();
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(UUID.randomUUID().toString()).execute(String.class, () -> {
                    seeLimits(seen);
                    throw new IllegalStateException("declined");
                }));
        assertThat(seen).containsExactly("before completion " + limit, "after completion 0");
    }

    private void seeLimits(List<String> seen) {
        Connection connection = DataSourceUtils.getConnection(shop.database().application());
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

            @Override
            public void beforeCommit(boolean readOnly) {
                see("before commit");
            }

            @Override
            public void beforeCompletion() {
                see("before completion");
            }

            @Override
            public void afterCommit() {
                see("after commit");
            }

            @Override
            public void afterCompletion(int status) {
                see("after completion");
            }

            private void see(String when) {
                try {
                    seen.add(when + " " + connection.getNetworkTimeout());
                } catch (SQLException closed) {
                    seen.add(when + " closed");
                }
            }
        });
    }

    private IdempotentResult<String> plain() {
        return shop.idempotency().operation("notify").key(key).execute(String.class, () -> "notified");
    }

    private IdempotentResult<String> book(int number) {
        return shop.call(key).execute(String.class, () -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    private static <T> T inAnotherThread(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call)
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
