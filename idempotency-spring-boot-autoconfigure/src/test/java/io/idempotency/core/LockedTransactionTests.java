package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockedTransactionTests {

    private final PlannedWorkTransaction transaction = new PlannedWorkTransaction();

    private final LockedTransaction locked = new LockedTransaction(transaction, "Operation order");

    private final List<String> records = new ArrayList<>();

    @Test
    void whatAStepHoldsBackInMemoryIsWrittenBeforeItIsRecorded() {
        locked.join(step("book"), () -> "booked", value -> records.addAll(transaction.events()));

        assertThat(records).containsExactly("flushed");
        locked.endWork();
        assertThatCode(locked::requireNoFailedStep).doesNotThrowAnyException();
    }

    @Test
    void aStepThatFailsLetsNothingBeCommittedAndNoOtherJoin() {
        IOException declined = new IOException("declined");

        assertThatIOException()
                .isThrownBy(() -> locked.join(
                        step("book"),
                        () -> {
                            throw declined;
                        },
                        value -> records.add("recorded")))
                .isSameAs(declined);

        assertThat(locked.obstacle(TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("'book' has failed in it").contains("let that failure leave"));
        locked.endWork();
        assertThatIllegalStateException()
                .isThrownBy(locked::requireNoFailedStep)
                .withMessageStartingWith("Operation order is rolled back, since step 'book' has failed")
                .withCause(declined);
        assertThat(transaction.events()).isEmpty();
        assertThat(records).isEmpty();
    }

    @Test
    void aStepThatCannotBeRecordedHasFailed() {
        IdempotencyStoreException unreachable = new IdempotencyStoreException("planted", null);

        assertThatCode(() -> locked.join(step("book"), () -> "booked", value -> {
                    throw unreachable;
                }))
                .isSameAs(unreachable);

        assertThatIllegalStateException()
                .isThrownBy(locked::requireNoFailedStep)
                .withCause(unreachable);
    }

    @Test
    void theFirstOfSeveralFailuresIsTheCause() {
        for (String name : List.of("first", "second")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> locked.join(
                            step(name),
                            () -> {
                                throw new IllegalStateException(name);
                            },
                            value -> records.add("recorded")));
        }

        assertThatIllegalStateException()
                .isThrownBy(locked::requireNoFailedStep)
                .withMessageContaining("'first'")
                .withStackTraceContaining("first");
    }

    @Test
    void aStepJoinsNoTransactionThatIsSuspendedOrOverOrEnding() {
        assertThat(locked.obstacle(TransactionSettings.DEFAULT)).isEmpty();
        assertThat(new LockedTransaction(new PlannedWorkTransaction("it is suspended"), "Operation order")
                        .obstacle(TransactionSettings.DEFAULT))
                .hasValueSatisfying(reason -> assertThat(reason).isEqualTo("it is suspended"));

        locked.endWork();

        assertThat(locked.obstacle(TransactionSettings.DEFAULT))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("is ending").contains("inside of the work"));
    }

    @Test
    void aStepJoinsNoTransactionThatIsBeingRolledBack() {
        locked.rollBack(new IOException("declined"));

        assertThat(locked.obstacle(TransactionSettings.DEFAULT)).isPresent();
    }

    @Test
    void whatIsThrownAfterACommitThatTookEffectIsNoFailure() {
        transaction.failToCommit(new IllegalStateException("a callback"), SurroundingTransaction.End.COMMITTED);

        assertThatCode(locked::commit).doesNotThrowAnyException();
    }

    @Test
    void aCommitThatFailsIsAFailureWhetherItIsKnownToBeRolledBackOrNot() {
        IllegalStateException broken = new IllegalStateException("broken");
        transaction.failToCommit(broken, SurroundingTransaction.End.UNKNOWN);
        assertThatCode(locked::commit).isSameAs(broken);
        assertThat(locked.isRolledBack()).isFalse();

        IllegalStateException refused = new IllegalStateException("refused");
        transaction.failToCommit(refused, SurroundingTransaction.End.ROLLED_BACK);
        assertThatCode(locked::commit).isSameAs(refused);
        assertThat(locked.isRolledBack()).isTrue();
    }

    private static StepIdentity step(String name) {
        return StepIdentity.of(name, null);
    }
}
