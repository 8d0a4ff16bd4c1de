package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.ClaimLostException;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps that write rows of the application in one transaction with their records. */
@ParameterizedClass
@MethodSource("settings")
class TransactionalStepTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @Test
    void recordAndRowsAreCommittedTogether() {
        assertThatIllegalStateException()
                .isThrownBy(() -> order(() -> {
                    step("book", 1);
                    assertThat(shop.rows()).containsExactly(1);
                    assertThat(recordedSteps()).isEqualTo(1);
                    throw new IllegalStateException("planted");
                }));

        assertThat(order(() -> step("book", 1))).isEqualTo("booked 1");

        assertThat(shop.rows()).containsExactly(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void neitherIsSeenBeforeTheCommit() {
        order(() -> step("book", step -> {
            shop.insert(1);
            assertThat(inAnotherThread(shop::rows)).isEmpty();
            assertThat(inAnotherThread(this::recordedSteps)).isZero();
            return "booked";
        }));

        assertThat(shop.rows()).containsExactly(1);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    @Test
    void whatIsThrownRollsBackAndTheStepMayBeAskedForAgain() {
        assertThat(order(() -> {
                    assertThatIOException()
                            .isThrownBy(() -> step("book", step -> {
                                shop.insert(1);
                                throw new IOException("declined");
                            }));
                    assertThat(shop.rows()).isEmpty();
                    assertThat(recordedSteps()).isZero();
                    return step("book", 2);
                }))
                .isEqualTo("booked 1");

        assertThat(shop.rows()).containsExactly(2);
    }

    @Test
    void aStaleOwnersStepLeavesNoRows() {
        assertThatExceptionOfType(ClaimLostException.class)
                .isThrownBy(() -> order(() -> {
                    shop.database().expireLeases();
                    assertThat(claimOfAnother()).isInstanceOf(ClaimOutcome.Granted.class);
                    return step("book", 1);
                }));

        assertThat(runs).hasValue(0);
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }

    @Test
    void aTakeoverCannotPassAnUncommittedStep() {
        order(() -> {
            shop.database().expireLeases();
            String booked = step("book", step -> {
                shop.insert(1);
                assertThat(inAnotherThread(this::claimOfAnother)).isInstanceOf(ClaimOutcome.InProgress.class);
                return "booked";
            });
            // The lease is that of the lock no more, but it was started anew before the lock was gone.
            assertThat(claimOfAnother()).isInstanceOf(ClaimOutcome.InProgress.class);
            assertThat(IdempotencyContext.current().orElseThrow().isLeaseLost()).isFalse();
            return booked;
        });

        assertThat(shop.rows()).containsExactly(1);
        assertThat(shop.events()).doesNotContain("lost");
    }

    @Test
    void otherStepsMayComeBeforeAndAfter() {
        assertThatIllegalStateException()
                .isThrownBy(() -> order(() -> {
                    shop.steps().run("charge", String.class, step -> "charged " + runs.incrementAndGet());
                    step("book", 1);
                    shop.steps().run("mail", String.class, step -> "sent " + runs.incrementAndGet());
                    throw new IllegalStateException("planted");
                }));

        assertThat(order(() -> shop.steps().run("charge", String.class, step -> "charged again")
                        + step("book", 2)
                        + shop.steps().run("mail", String.class, step -> "sent again")))
                .isEqualTo("charged 1booked 2sent 3");
    }

    @Test
    void insideOfATransactionalOperationAnyOtherStepIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    shop.insert(1);
                    return shop.steps().run("charge", String.class, step -> "charged");
                }))
                .withMessageContaining("'charge'")
                .withMessageContaining("make it a transactional step");

        assertThat(shop.rows()).isEmpty();
    }

    @Test
    void onAnotherThreadThanTheTransactionalOperationItIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    Runnable branch = IdempotencyContext.wrap(() -> {
                        step("book", 1);
                    });
                    return inAnotherThread(() -> {
                        branch.run();
                        return "never";
                    });
                }))
                .withMessageContaining("another thread");

        assertThat(runs).hasValue(0);
    }

    @Test
    void insideOfAnotherTransactionItIsRefused() {
        order(() -> {
            shop.transactions()
                    .executeWithoutResult(status -> assertThatIllegalStateException()
                            .isThrownBy(() -> step("book", 1))
                            .withMessageContaining("open already"));
            return "done";
        });

        assertThat(runs).hasValue(0);
    }

    private ClaimOutcome claimOfAnother() {
        return shop.store()
                .claim(new ClaimRequest(
                        TransactionalShop.identity(key),
                        Fingerprint.none(),
                        OwnerToken.random(),
                        Claims.LEASE,
                        Claims.RETENTION,
                        OnAbandoned.RETRY));
    }
}
