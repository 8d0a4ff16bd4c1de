package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Operations inside of a transaction. */
class SurroundingTransactionTests extends WithAnEngine {

    @Nested
    class InsideATransaction {

        @Test
        void theOutcomeIsRecordedAfterTheCommit() {
            transaction.begin();

            call("k");
            assertThat(find("k")).isEqualTo(RecordState.IN_PROGRESS);
            transaction.end(SurroundingTransaction.End.COMMITTED);

            assertThat(find("k")).isEqualTo(RecordState.COMPLETED);
        }

        @Test
        void theKeyIsReleasedAfterTheRollback() {
            transaction.begin();

            call("k");
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }

        @Test
        void aDoubtStaysADoubtAfterTheRollback() {
            policy = policy.withOnFailure(OnFailure.HOLD);
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.IN_DOUBT);
        }

        @Test
        void aFailureThatIsAnOutcomeIsRecordedAfterTheRollbackThatItCaused() {
            policy = policy.withRecordedFailures(Set.of(IllegalStateException.class));
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())))
                    .isInstanceOf(IllegalStateException.class);
            transaction.end(SurroundingTransaction.End.ROLLED_BACK);

            assertThat(find("k")).isEqualTo(RecordState.COMPLETED);
        }

        @Test
        void anUnknownEndHoldsTheRecord() {
            transaction.begin();

            call("k");
            transaction.end(SurroundingTransaction.End.UNKNOWN);

            assertThat(find("k")).isEqualTo(RecordState.IN_DOUBT);
        }

        /** Whether it was committed or rolled back, the attempt has failed. */
        @Test
        void anUnknownEndHoldsNothingThatHasFailedBefore() {
            transaction.begin();

            assertThatThrownBy(() -> execute("k", failingWith(new IllegalStateException())));
            transaction.end(SurroundingTransaction.End.UNKNOWN);

            assertThat(find("k")).isEqualTo(RecordState.RETRYABLE);
        }
    }
}
