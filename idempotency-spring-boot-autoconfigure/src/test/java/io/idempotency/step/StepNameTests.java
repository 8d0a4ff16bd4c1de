package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What tells steps apart: names, items and the keys that are made of them. */
class StepNameTests extends InAWorkshop {

    @Nested
    class AName {

        @Test
        void mustNotBeAskedForTwiceInOneExecution() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(() -> {
                        steps.run("ship", step -> run("first"));
                        steps.run("ship", step -> run("second"));
                        return "never";
                    }))
                    .withMessageContaining("'ship'")
                    .withMessageContaining("item");

            assertThat(ran).containsExactly("first");
        }

        @Test
        void insideOfAStepThatFailedMayBeAskedForAgain() {
            assertThat(workshop.succeeds(() -> {
                        assertThatIllegalStateException().isThrownBy(() -> order("declined"));
                        return order("accepted");
                    }))
                    .isEqualTo("charged, accepted");

            assertThat(ran).containsExactly("charged", "declined", "accepted");
        }

        private String order(String end) {
            return steps.run("order", String.class, order -> {
                String charged = steps.run("charge", String.class, step -> run("charged"));
                String ended = run(end);
                if (ended.equals("declined")) {
                    throw new IllegalStateException(ended);
                }
                return charged + ", " + ended;
            });
        }

        @Test
        void thatSucceededBesideAStepThatFailedMustNotBeAskedForAgain() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(() -> {
                        steps.run("charge", step -> run("charge"));
                        assertThatIllegalStateException()
                                .isThrownBy(() -> steps.run("ship", step -> {
                                    throw new IllegalStateException("planted");
                                }));
                        steps.run("charge", step -> run("charge again"));
                        return "never";
                    }))
                    .withMessageContaining("'charge'");

            assertThat(ran).containsExactly("charge");
        }

        @Test
        void withoutItemIsNoItem() {
            workshop.succeeds(() -> {
                steps.run("ship", step -> run("without"));
                steps.run("ship", "", step -> run("empty"));
                steps.run("ship", "1", step -> run("one"));
                return "done";
            });

            assertThat(ran).containsExactly("without", "empty", "one");
        }

        @Test
        void mayBeAskedForAgainInOneExecutionAfterItFailed() {
            workshop.succeeds(() -> {
                try {
                    steps.run("charge", step -> {
                        run("charge");
                        throw new IOException("planted");
                    });
                } catch (IOException failure) {
                    steps.run("charge", step -> run("charge again"));
                }
                return "done";
            });

            assertThat(ran).containsExactly("charge", "charge again");
        }

        @Test
        void mayHaveItemsOfAnyKind() {
            List<String> items = List.of(" ", "a,b", "a", "b", "a/b", "\u0000", "\ud83d\udce6", "x".repeat(100_000));

            workshop.fails(() -> {
                items.forEach(item -> steps.run("ship", item, step -> run(item)));
                throw new IllegalStateException("planted");
            });
            workshop.succeeds(() -> {
                items.forEach(item -> steps.run("ship", item, step -> run(item)));
                return "done";
            });

            assertThat(ran).containsExactlyElementsOf(items);
        }

        @Test
        void mustNotHaveAnItemThatIsNull() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> workshop.succeeds(() -> {
                        steps.run("ship", (String) null, step -> run("ship"));
                        return "never";
                    }))
                    .withMessageContaining("'ship'")
                    .withMessageContaining("null");

            assertThat(ran).isEmpty();
        }

        @Test
        void mustNotBeAskedForByItsOwnWork() {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workshop.succeeds(() -> steps.run(
                            "ship", String.class, outer -> steps.run("ship", String.class, inner -> run("ship")))))
                    .withMessageContaining("twice");

            assertThat(ran).isEmpty();
        }

        @Test
        void mustNotBeBlankOrTooLong() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> workshop.succeeds(() -> steps.run(" ", String.class, step -> "never")));
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> workshop.succeeds(() -> steps.run("x".repeat(256), String.class, step -> "never")));
        }

        @Test
        void thatIsRecordedAndNoLongerAskedForIsReported() {
            workshop.fails(() -> {
                steps.run("charge_card", step -> run("charge"));
                throw new IllegalStateException("planted");
            });

            assertThat(workshop.logOf(
                            () -> workshop.succeeds(() -> steps.run("charge", String.class, step -> "renamed"))))
                    .contains("charge_card");
        }
    }

    @Nested
    class AKey {

        @Test
        void differsByStepAndItemAndOperation() {
            List<String> keys = new ArrayList<>();
            StepAction<RuntimeException> remember = step -> keys.add(step.key());
            workshop.succeeds(() -> {
                steps.run("charge", remember);
                steps.run("charge", "1", remember);
                steps.run("charge", "2", remember);
                steps.run("mail", remember);
                return "done";
            });
            workshop.nextKey();
            workshop.succeeds(() -> {
                steps.run("charge", remember);
                return "done";
            });

            assertThat(keys).hasSize(5).doesNotHaveDuplicates().allSatisfy(key -> {
                assertThat(UUID.fromString(key).version()).isEqualTo(8);
                assertThat(UUID.fromString(key).variant()).isEqualTo(2);
                assertThat(key).doesNotContain(workshop.key());
            });
        }

        @Test
        void isTheSameInEveryVersionOfThisLibrary() {
            List<String> keys = new ArrayList<>();
            workshop.key("a fixed key");
            workshop.succeeds(() -> {
                steps.run("charge", "an item", step -> keys.add(step.key()));
                return "done";
            });

            assertThat(keys).containsExactly("226e41bf-5e06-823e-9434-8fa2a4747ab2");
        }

        @Test
        void isThatOfTheStepThatRunsOnThisThread() {
            workshop.succeeds(() -> {
                assertThat(StepContext.current()).isEmpty();
                steps.run("outer", outer -> {
                    assertThat(StepContext.current()).containsSame(outer);
                    steps.run(
                            "inner", inner -> assertThat(StepContext.current()).containsSame(inner));
                    assertThat(StepContext.current()).containsSame(outer);
                });
                assertThat(StepContext.current()).isEmpty();
                return "done";
            });
        }

        @Test
        void doesNotStayOnTheThreadOfAStepThatFailed() {
            workshop.fails(() -> {
                steps.run("charge", step -> {
                    throw new IOException("planted");
                });
                return "never";
            });

            assertThat(StepContext.current()).isEmpty();
        }
    }
}
