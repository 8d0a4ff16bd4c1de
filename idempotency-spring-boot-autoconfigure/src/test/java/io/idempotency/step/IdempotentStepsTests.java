package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.ClaimLostException;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.OnAbandoned;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Where steps run and are refused. */
class IdempotentStepsTests extends InAWorkshop {

    @Nested
    class AStep {

        @Test
        void belongsInsideOfAnOperation() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> steps.run("charge", step -> run("charge")))
                    .withMessageContaining("@Idempotent")
                    .withMessageContaining("IdempotencyContext.wrap");

            assertThat(ran).isEmpty();
        }

        @Test
        void passesOnWhatItsWorkThrows() {
            IOException failure = new IOException("planted");

            assertThat(workshop.fails(() -> {
                        steps.run("charge", step -> {
                            throw failure;
                        });
                        return "never";
                    }))
                    .isSameAs(failure);
        }

        @Test
        void doesNotRunWhileATransactionIsOpen() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeedsInATransaction(() -> {
                        steps.run("charge", step -> run("charge"));
                        return "never";
                    }))
                    .withMessageContaining("'charge'")
                    .withMessageContaining("transaction is open");

            assertThat(ran).isEmpty();
        }

        @Test
        void ofAClaimThatIsLostIsToldAndItsResultDoesNotCount() {
            workshop.lostTo(
                    () -> steps.run("charge", String.class, step -> {
                        workshop.letAnotherTakeOver();
                        return run("charge");
                    }),
                    failure -> assertThat(failure).isInstanceOf(ClaimLostException.class));

            assertThat(workshop.succeeds(() -> steps.run("charge", String.class, step -> run("charge by successor"))))
                    .isEqualTo("charge by successor");
        }

        @Test
        void ofAClaimThatIsLostDoesNotRun() {
            workshop.lostTo(
                    () -> {
                        await().until(IdempotencyContext.current().orElseThrow()::isLeaseLost);
                        return steps.run("charge", String.class, step -> run("charge"));
                    },
                    failure -> assertThat(failure).isInstanceOf(ClaimLostException.class));

            assertThat(ran).isEmpty();
        }

        @Test
        void thatCannotBeRecordedRunsAgainWithItsKey() {
            List<String> keys = new ArrayList<>();
            StepWork<String, RuntimeException> charge = step -> {
                keys.add(step.key());
                return run("charge");
            };
            workshop.failingToRecord(1);
            assertThat(workshop.fails(() -> steps.run("charge", String.class, charge)))
                    .isInstanceOf(IdempotencyStoreException.class);

            workshop.succeeds(() -> steps.run("charge", String.class, charge));

            assertThat(keys).hasSize(2).containsOnly(keys.get(0));
        }

        @Test
        void costsOneWriteWhenItRunsAndNothingWhenItIsSkipped() {
            workshop.fails(() -> {
                steps.run("charge", step -> run("charge"));
                throw new IllegalStateException("planted");
            });
            assertThat(workshop.writes()).isEqualTo(1);

            workshop.succeeds(() -> {
                steps.run("charge", step -> run("charge again"));
                return "done";
            });

            assertThat(workshop.writes()).isEqualTo(1);
        }
    }

    @Nested
    class AStepThatIsTransactional {

        @Test
        void needsAStoreThatTakesPartInTransactions() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(
                            () -> steps.step("book").transactional().run(String.class, step -> run("book"))))
                    .withMessageContaining("'book'")
                    .withMessageContaining("idempotency.store=jdbc");
            assertThat(ran).isEmpty();
        }

        @Test
        void leavesNothingToHoldOrToCheck() {
            IdempotentSteps.StepSpec book = steps.step("book").transactional();

            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(
                            () -> book.onAbandoned(OnAbandoned.HOLD).run(String.class, step -> run("book"))))
                    .withMessageContaining("onAbandoned");
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(
                            () -> book.runChecked(String.class, step -> Optional.of("found"), step -> run("book"))))
                    .withMessageContaining("check");
            assertThat(ran).isEmpty();
        }

        @Test
        void runsStraightThroughWhereIdempotencyIsSwitchedOff() {
            assertThat(workshop.passedThrough().step("book").transactional().run(String.class, step -> run("book")))
                    .isEqualTo("book");
        }
    }

    @Nested
    class WithoutRecords {

        @Test
        void aStepRunsWithItsKeyWhereTheStoreFailedAndTheOperationProceeds() {
            List<String> keys = new ArrayList<>();
            workshop.fails(() -> {
                steps.run("charge", step -> keys.add(step.key()));
                throw new IllegalStateException("planted");
            });
            workshop.failingToClaim();

            workshop.proceeding(() -> {
                steps.run("charge", step -> keys.add(step.key()));
                steps.run("ship", step -> keys.add(step.key()));
                return "done";
            });

            assertThat(keys).hasSize(3);
            assertThat(keys.get(1)).isEqualTo(keys.get(0));
            assertThat(keys.get(2)).isNotEqualTo(keys.get(0));
        }

        @Test
        void aStepThatCanBeLookedUpIsWhereTheStoreFailed() {
            workshop.failingToClaim();

            workshop.proceeding(() -> steps.step("charge")
                    .runChecked(String.class, step -> Optional.of(run("found")), step -> run("charge")));
            workshop.proceeding(() ->
                    steps.step("charge").runChecked(String.class, step -> Optional.empty(), step -> run("charge")));

            assertThat(ran).containsExactly("found", "charge");
        }

        @Test
        void aStepThatMustNotBeRepeatedIsRefusedWhereTheStoreFailed() {
            workshop.failingToClaim();

            assertThatExceptionOfType(IdempotencyStoreException.class)
                    .isThrownBy(() -> workshop.proceeding(() ->
                            steps.step("wire").onAbandoned(OnAbandoned.HOLD).run(String.class, step -> run("wire"))))
                    .withMessageContaining("'wire'")
                    .withMessageContaining("store");

            assertThat(ran).isEmpty();
        }

        @Test
        void aStepRunsStraightThroughWhereIdempotencyIsSwitchedOff() {
            IdempotentSteps passedThrough = workshop.passedThrough();
            List<String> keys = new ArrayList<>();

            passedThrough.run("charge", step -> keys.add(step.key()));
            passedThrough.step("charge").onAbandoned(OnAbandoned.HOLD).run(step -> keys.add(step.key()));
            assertThat(passedThrough
                            .step("charge")
                            .runChecked(String.class, step -> Optional.of("found"), step -> run("charge")))
                    .isEqualTo("charge");

            assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        }
    }
}
