package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps that fail in a transaction that they have joined. */
@ParameterizedClass
@MethodSource("settings")
class FailedInnerStepTests extends ShopScenario {

    static Stream<TransactionalShop.Setting> settings() {
        return TransactionalShop.Setting.withEveryManager();
    }

    @Test
    void aFailureThatTheOperationCatchesRollsItBack() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, this::catchesTheFailureOfAStep))
                .withMessageContaining("Operation book is rolled back")
                .withMessageContaining("'inner'")
                .withCauseInstanceOf(IOException.class);

        assertNothingIsWritten();
        shop.call(key).execute(String.class, () -> step("inner", 3));
        assertThat(shop.rows()).containsExactly(3);
    }

    @Test
    void aFailureThatTheOuterStepCatchesRollsItBack() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> catchesTheFailureOfAStep()))
                    .withMessageContaining("Step 'outer' is rolled back")
                    .withCauseInstanceOf(IOException.class);
            assertNothingIsWritten();
            return step("outer", step -> step("inner", 3));
        });

        assertThat(shop.rows()).containsExactly(3);
        assertThat(recordedSteps()).isEqualTo(2);
    }

    @Test
    void aStatementWhoseFailureIsCaughtIsNoFailureOfTheStore() {
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key).execute(String.class, this::catchesTheFailureOfAStatement))
                .withMessageContaining("set a savepoint");
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("enter", step -> catchesTheFailureOfAStatement()))
                    .withMessageContaining("set a savepoint");
            return "none";
        });

        assertNothingIsWritten();
    }

    @Test
    void thatAStepHasFailedIsNoOutcomeOfItsOperation() {
        OperationPolicy policy = shop.policy().withOnFailure(OnFailure.STORE);
        assertThatIllegalStateException()
                .isThrownBy(() -> shop.call(key, policy).execute(String.class, this::catchesTheFailureOfAStep));

        assertThat(shop.call(key, policy)
                        .execute(String.class, () -> step("inner", 3))
                        .attempt())
                .isEqualTo(2);
    }

    @Test
    void theOuterStepMayBeAskedForAgainWithAllThatIsInside() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> {
                        step("first", 1);
                        step("second", 2);
                        throw new IllegalStateException("declined");
                    }))
                    .withMessage("declined");
            assertNothingIsWritten();
            return step("outer", step -> step("first", 3) + step("second", 4));
        });

        assertThat(shop.rows()).containsExactly(3, 4);
        assertThat(recordedSteps()).isEqualTo(3);
    }

    @Test
    void whatWasRolledBackInsideMayBeAskedForOutside() {
        order(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> step("outer", step -> {
                        step("inner", 1);
                        throw new IllegalStateException("declined");
                    }));
            return step("inner", 2);
        });

        assertThat(shop.rows()).containsExactly(2);
    }

    private String catchesTheFailureOfAStatement() {
        assertThatThrownBy(() -> {
                    try (Statement statement =
                            BoundConnection.ofThisThread().connection().createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    }
                })
                .isInstanceOf(SQLException.class);
        return "caught";
    }

    /** The row is in the database when the step fails, whatever writes it. */
    private String catchesTheFailureOfAStep() {
        shop.insert(1);
        assertThatIOException()
                .isThrownBy(() -> step("inner", step -> {
                    shop.insert(2);
                    throw new IOException("declined");
                }));
        assertThatIllegalStateException()
                .isThrownBy(() -> step("other", 4))
                .withMessageContaining("can only be rolled back");
        return "went on";
    }

    private void assertNothingIsWritten() {
        assertThat(shop.rows()).isEmpty();
        assertThat(recordedSteps()).isZero();
    }
}
