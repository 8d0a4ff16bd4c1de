package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a later attempt does about the steps of an earlier one. */
class StepRetryTests extends InAWorkshop {

    @Nested
    class ARetry {

        @Test
        void runsWhatFailedAndGetsTheRecordedResultOfWhatWasDone() {
            workshop.fails(() -> workflow("card declined"));

            assertThat(workshop.succeeds(() -> workflow(null))).isEqualTo("receipt 1, account 1, sent");

            assertThat(ran).containsExactly("charge", "account", "mail", "mail");
        }

        @Test
        void runsOnlyTheItemsThatWereNotDone() {
            workshop.fails(() -> ship(1_000, 500));

            workshop.succeeds(() -> ship(1_000, -1));

            assertThat(ran).hasSize(1_000).doesNotHaveDuplicates();
        }

        @Test
        void mayAskForItsStepsInAnotherOrderAndForNewOnes() {
            workshop.fails(() -> {
                steps.run("reserve", String.class, step -> run("reserve"));
                steps.run("charge", String.class, step -> run("charge"));
                throw new IllegalStateException("planted");
            });

            assertThat(workshop.succeeds(() -> steps.run("charge", String.class, step -> run("charge again"))
                            + steps.run("notify", String.class, step -> run("notify"))
                            + steps.run("reserve", String.class, step -> run("reserve again"))))
                    .isEqualTo("chargenotifyreserve");
        }

        @Test
        void givesTheStepTheSameKey() {
            List<String> keys = new ArrayList<>();
            workshop.fails(() -> steps.run("charge", String.class, step -> {
                keys.add(step.key());
                throw new IllegalStateException("planted");
            }));
            workshop.succeeds(() -> steps.run("charge", String.class, step -> {
                keys.add(step.key());
                return "done";
            }));

            assertThat(keys).hasSize(2).containsOnly(keys.get(0));
        }

        @Test
        void mustAskForTheSameThingOnceAStepIsRecorded() {
            workshop.fingerprint(Fingerprint.of("an order"));
            workshop.fails(() -> {
                steps.run("charge", String.class, step -> run("charge"));
                throw new IllegalStateException("planted");
            });
            workshop.fingerprint(Fingerprint.of("another order"));

            assertThatExceptionOfType(FingerprintMismatchException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> "never"));
        }

        @Test
        void ofAnAttemptThatVanishedSkipsWhatItRecorded() {
            workshop.vanishes(() -> {
                steps.run("charge", String.class, step -> run("charge"));
                steps.run("mail", step -> run("mail"));
            });

            workshop.succeeds(() -> {
                steps.run("mail", step -> run("mail again"));
                return steps.run("charge", String.class, step -> run("charge again"));
            });

            assertThat(ran).containsExactly("charge", "mail");
        }
    }

    @Nested
    class AJob {

        private final String month = UUID.randomUUID().toString();

        @Test
        void goesOnWhereItsLastRunFailedAndDoesNothingOnceItHasSucceeded() {
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> steps.of("close_month", month).execute(String.class, () -> workflow("no answer")));

            IdempotentResult<String> second =
                    steps.of("close_month", month).execute(String.class, () -> workflow(null));
            IdempotentResult<String> third = steps.of("close_month", month).execute(String.class, () -> workflow(null));

            assertThat(second.attempt()).isEqualTo(2);
            assertThat(third.replayed()).isTrue();
            assertThat(third.value()).isEqualTo(second.value()).isEqualTo("receipt 1, account 1, sent");
            assertThat(ran).containsExactly("charge", "account", "mail", "mail");
        }

        @Test
        void mayGiveNoValue() {
            assertThat(steps.of("close_month", month)
                            .execute(() -> steps.run("charge", step -> run("charge")))
                            .replayed())
                    .isFalse();

            assertThat(steps.of("close_month", month)
                            .execute(() -> steps.run("charge", step -> run("charge")))
                            .replayed())
                    .isTrue();
            assertThat(ran).containsExactly("charge");
        }

        @Test
        void passesOnWhatItsWorkThrows() {
            IOException failure = new IOException("planted");

            assertThatIOException()
                    .isThrownBy(() -> steps.of("close_month", month).execute(() -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        }

        @Test
        void hasThePolicyThatIsSaidOfIt() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> steps.of("close_month", month)
                            .policy(policy -> policy.withOnFailure(OnFailure.HOLD))
                            .execute(() -> {
                                throw new IllegalStateException("planted");
                            }));

            assertThatExceptionOfType(OperationInDoubtException.class)
                    .isThrownBy(() -> steps.of("close_month", month).execute(() -> run("again")));
            assertThat(ran).isEmpty();
        }

        @Test
        void runsStraightThroughWhereIdempotencyIsSwitchedOff() {
            IdempotentSteps passedThrough = workshop.passedThrough();
            for (int call = 0; call < 2; call++) {
                passedThrough
                        .of("close_month", month)
                        .execute(() -> passedThrough.run("charge", step -> run("charge")));
            }

            assertThat(ran).containsExactly("charge", "charge");
        }
    }

    private String workflow(String failureOfTheMail) {
        String receipt = steps.run("charge_card", String.class, step -> {
            run("charge");
            return "receipt 1";
        });
        String account = steps.run("create_account", String.class, step -> {
            run("account");
            return "account 1";
        });
        steps.run("send_mail", step -> {
            run("mail");
            if (failureOfTheMail != null) {
                throw new IllegalStateException(failureOfTheMail);
            }
        });
        return receipt + ", " + account + ", sent";
    }

    private String ship(int items, int failing) {
        IntStream.range(0, items).forEach(item -> shipped(item, failing));
        return "shipped";
    }
}
