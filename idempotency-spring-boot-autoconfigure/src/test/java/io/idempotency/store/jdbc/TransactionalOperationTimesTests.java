package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.RecordState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** How long a transactional operation has its lease, its record and its connection. */
@ParameterizedClass
@MethodSource("settings")
class TransactionalOperationTimesTests extends ShopScenario {

    /** Long enough that a busy machine does not lose it before the record is locked. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
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

        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> shop.call(key, held).execute(String.class, () -> "never"));
        assertThat(shop.rows()).isEmpty();
        assertThat(shop.events()).containsExactly("started", "held", "refused");
    }

    @Test
    void retentionCountsFromTheRecordingAndNotFromTheBeginning() {
        OperationPolicy policy = shop.withLease(Duration.ofMillis(500)).withRetention(Duration.ofSeconds(60));
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

    @Test
    void theEndOfTheTransactionAndNothingElseHasTheLimitOfTheStore() {
        int limit = limitOfTheStore();
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

    /** Zero for H2, which runs in this JVM and knows no limit. */
    private int limitOfTheStore() {
        return setting.product() == TestDatabase.Product.H2
                ? 0
                : SilenceLimit.of(TestDatabase.SETTINGS.timeout()).milliseconds();
    }

    private Timestamp read(String query) {
        return shop.database().jdbc().queryForObject(query, Timestamp.class);
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
}
