package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.step.StepWork;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactional steps of operations that proceed though their store has failed. */
class UnclaimedTransactionsTests {

    private static final OutcomeCodecFactory CODECS = new JsonOutcomeCodecFactory(1_000);

    private final PlannedWorkTransaction transaction = new PlannedWorkTransaction();

    private final List<Duration> begun = new ArrayList<>();

    private IdempotencyTemplate engine = engine(new StoreOfTheDatabase());

    private final IdempotentSteps steps = JournaledSteps.recorded(CODECS, () -> engine);

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aStepIsCommittedAsAWhole() {
        assertThat(proceed(() -> book(step -> "booked"))).isEqualTo("booked");

        assertThat(transaction.events()).containsExactly("flushed", "committed");
    }

    @Test
    void aStepThatFailsIsRolledBackAsAWhole() {
        IOException failure = new IOException("planted");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> proceed(() -> book(step -> {
                    throw failure;
                })))
                .isSameAs(failure);

        assertThat(transaction.events()).containsExactly("rolled back");
    }

    @Test
    void aStepInsideOfAStepJoinsIt() {
        proceed(() -> book(outer -> book(inner -> "booked")));

        assertThat(begun).hasSize(1);
        assertThat(transaction.events()).containsExactly("flushed", "flushed", "committed");
    }

    @Test
    void aFailureThatTheOuterStepCatchesRollsItBack() {
        assertThatIllegalStateException()
                .isThrownBy(() -> proceed(() -> book(outer -> {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> book(inner -> {
                                throw new IllegalStateException("planted");
                            }));
                    return "booked";
                })))
                .withMessageContaining("'book'");

        assertThat(transaction.events()).containsExactly("rolled back");
    }

    @Test
    void oneStepAfterAnotherHasATransactionOfItsOwn() {
        proceed(() -> book(step -> "first ") + book(step -> "second"));

        assertThat(begun).hasSize(2);
    }

    @Test
    void aTransactionLastsNoLongerThanAClaimWould() {
        TransactionSettings brief = new TransactionSettings(
                Optional.empty(), TransactionSettings.DATABASE_ISOLATION, Optional.of(Duration.ofSeconds(5)));

        proceed(() ->
                book(step -> "booked") + steps.step("book").transactional(brief).run(String.class, step -> "booked"));

        assertThat(begun).containsExactly(OperationPolicy.DEFAULT.maxDuration(), Duration.ofSeconds(5));
    }

    @Test
    void aStepIsRefusedWhereItWouldBeRefusedWithAClaimSinceTheStoreIsNoneOfTheDatabase() {
        engine.close();
        engine = engine(new FaultyStore(new InMemoryIdempotencyStore(1)).failing(FaultyStore.Verb.CLAIM, 1));

        assertThatIllegalStateException()
                .isThrownBy(() -> proceed(() -> book(step -> "booked")))
                .withMessageContaining("'book'")
                .withMessageContaining("idempotency.store=jdbc");

        assertThat(begun).isEmpty();
    }

    private <E extends Throwable> String proceed(IdempotentWork<String, E> work) throws E {
        return engine.operation("order")
                .key("k")
                .policy(policy -> policy.withOnStoreFailure(OnStoreFailure.PROCEED))
                .execute(String.class, work)
                .value();
    }

    private <E extends Throwable> String book(StepWork<String, E> work) throws E {
        return steps.step("book").transactional().run(String.class, work);
    }

    private IdempotencyTemplate engine(IdempotencyStore store) {
        return new IdempotencyTemplate(
                store,
                CODECS,
                new EngineSettings("shop", Duration.ofSeconds(20), 1),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                (operation, settings, timeout) -> {
                    begun.add(timeout);
                    return transaction;
                },
                List.of());
    }

    /** A store in the database of the application that cannot be reached. */
    private static final class StoreOfTheDatabase extends FaultyStore implements TransactionalStore {

        StoreOfTheDatabase() {
            super(new InMemoryIdempotencyStore(1));
            failing(Verb.CLAIM, Integer.MAX_VALUE);
        }

        @Override
        public Optional<String> obstacle() {
            throw new AssertionError("Nothing is recorded");
        }

        @Override
        public RecordLock lock(Claim claim) {
            throw new AssertionError("Nothing is locked");
        }

        @Override
        public Ownership recordStepInTransaction(Claim claim, StepRecord step) {
            throw new AssertionError("Nothing is recorded");
        }

        @Override
        public Ownership completeInTransaction(Claim claim, Outcome outcome, Duration retention) {
            throw new AssertionError("Nothing is recorded");
        }
    }
}
