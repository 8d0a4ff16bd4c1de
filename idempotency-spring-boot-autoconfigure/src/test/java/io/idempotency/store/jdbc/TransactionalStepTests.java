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
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OwnerToken;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.StepWork;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

/** Steps that write rows of the application in one transaction with their records. */
@ParameterizedClass
@MethodSource("settings")
@Timeout(120)
class TransactionalStepTests {

    @Parameter
    private TransactionalShop.Setting setting;

    private final String key = UUID.randomUUID().toString();

    private final AtomicInteger runs = new AtomicInteger();

    private TransactionalShop shop;

    private IdempotentSteps steps;

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.all();
    }

    @BeforeEach
    void open() {
        shop = TransactionalShop.open(setting);
        steps = shop.steps();
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void recordAndRowsAreCommittedTogether() {
        assertThatIllegalStateException()
                .isThrownBy(() -> order(() -> {
                    book(1);
                    assertThat(shop.rows()).containsExactly(1);
                    assertThat(recordedSteps()).isEqualTo(1);
                    throw new IllegalStateException("planted");
                }));

        assertThat(order(() -> book(1))).isEqualTo("booked 1");

        assertThat(shop.rows()).containsExactly(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void neitherIsSeenBeforeTheCommit() {
        order(() -> step(step -> {
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
                            .isThrownBy(() -> step(step -> {
                                shop.insert(1);
                                throw new IOException("declined");
                            }));
                    assertThat(shop.rows()).isEmpty();
                    assertThat(recordedSteps()).isZero();
                    return book(2);
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
                    return book(1);
                }));

        assertThat(runs).hasValue(0);
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }

    @Test
    void aTakeoverCannotPassAnUncommittedStep() {
        order(() -> {
            shop.database().expireLeases();
            String booked = step(step -> {
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
                    steps.run("charge", String.class, step -> "charged " + runs.incrementAndGet());
                    book(1);
                    steps.run("mail", String.class, step -> "sent " + runs.incrementAndGet());
                    throw new IllegalStateException("planted");
                }));

        assertThat(order(() -> steps.run("charge", String.class, step -> "charged again")
                        + book(2)
                        + steps.run("mail", String.class, step -> "sent again")))
                .isEqualTo("charged 1booked 2sent 3");
    }

    @Test
    void insideOfATransactionalOperationItJoinsItsTransaction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    book(1);
                    throw new IllegalStateException("declined");
                }))
                .withMessage("declined");
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();

        int begun = shop.transactionManager().begun();
        shop.call(key).execute(String.class, () -> book(2));

        assertThat(shop.transactionManager().begun() - begun).isEqualTo(1);
        assertThat(shop.rows()).containsExactly(2);
        assertThat(recordedSteps()).isEqualTo(1);
    }

    @Test
    void insideOfATransactionalStepItJoinsItsTransaction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> order(() -> step(step -> {
                    steps.step("inner").transactional().run(inner -> shop.insert(1));
                    throw new IllegalStateException("declined");
                })));

        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }

    @Test
    void insideOfATransactionalOperationAnyOtherStepIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, () -> {
                    shop.insert(1);
                    return steps.run("charge", String.class, step -> "charged");
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
                        book(1);
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
                            .isThrownBy(() -> book(1))
                            .withMessageContaining("open already"));
            return "done";
        });

        assertThat(runs).hasValue(0);
    }

    private String order(IdempotentWork<String, RuntimeException> work) {
        return shop.idempotency()
                .operation(TransactionalShop.OPERATION)
                .key(key)
                .execute(String.class, work)
                .value();
    }

    private String book(int number) {
        return step(step -> {
            shop.insert(number);
            return "booked " + runs.incrementAndGet();
        });
    }

    private <E extends Throwable> String step(StepWork<String, E> work) throws E {
        return steps.step("book")
                .transactional(shop.policy().transaction().orElseThrow())
                .run(String.class, work);
    }

    private int recordedSteps() {
        return shop.database().jdbc().queryForObject("SELECT COUNT(*) FROM idempotency_step", Integer.class);
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
