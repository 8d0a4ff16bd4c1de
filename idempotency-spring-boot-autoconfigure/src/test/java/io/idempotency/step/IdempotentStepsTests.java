package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.ClaimLostException;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepInDoubtException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.ParameterizedTypeReference;

@Timeout(60)
class IdempotentStepsTests {

    private final Workshop workshop = new Workshop();

    private final IdempotentSteps steps = workshop.steps();

    private final List<String> ran = workshop.ran();

    @AfterEach
    void close() {
        workshop.close();
    }

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

    @Nested
    class AResult {

        @Test
        void mayBeOfAGenericType() {
            ParameterizedTypeReference<List<Receipt>> type = new ParameterizedTypeReference<>() {};
            workshop.fails(() -> {
                steps.run("charge", type.getType(), step -> List.of(new Receipt("r", 1)));
                throw new IllegalStateException("planted");
            });

            List<Receipt> receipts = workshop.succeeds(
                    type.getType(),
                    () -> steps.<List<Receipt>, RuntimeException>run("charge", type.getType(), step -> {
                        throw new AssertionError("The step was done");
                    }));

            assertThat(receipts).containsExactly(new Receipt("r", 1));
        }

        @Test
        void mayBeNull() {
            workshop.fails(() -> {
                steps.run("look", String.class, step -> {
                    run("look");
                    return null;
                });
                throw new IllegalStateException("planted");
            });

            assertThat(workshop.succeeds(() -> steps.run("look", String.class, step -> run("look again"))))
                    .isNull();
        }

        @Test
        void thatCannotBeRecordedIsGivenOnceAndNothingRunsAgain() {
            Callable<String> work = () -> {
                steps.run("charge", String.class, step -> "x".repeat(Workshop.MAX_RESULT + 1));
                throw new IllegalStateException("planted");
            };
            workshop.fails(work);

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workshop.succeeds(work))
                    .withMessageContaining("'charge'")
                    .withMessageContaining("could not be recorded");
        }

        @Test
        void ofAnotherTypeIsRefusedByNameAndNothingRunsAgain() {
            workshop.fails(() -> {
                steps.run("charge", String.class, step -> run("charge"));
                throw new IllegalStateException("planted");
            });

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> steps.run(
                                    "charge", Receipt.class, step -> new Receipt(run("again"), 1))
                            .number()))
                    .withMessageContaining("'charge'");

            assertThat(ran).containsExactly("charge");
        }

        @Test
        void ofATypeThatCannotBeRecordedStopsTheStepBeforeItRuns() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> workshop.succeeds(() -> {
                        steps.run("charge", Thread.class, step -> {
                            run("charge");
                            return Thread.currentThread();
                        });
                        return "never";
                    }));

            assertThat(ran).isEmpty();
        }

        @Test
        void ofOtherArgumentsIsRefusedByNameAndNothingRunsAgain() {
            workshop.fails(() -> {
                steps.step("charge").arguments(Fingerprint.of("10 EUR")).run(String.class, step -> run("charge"));
                throw new IllegalStateException("planted");
            });

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> steps.step("charge")
                            .arguments(Fingerprint.of("20 EUR"))
                            .run(String.class, step -> run("charge again"))))
                    .withMessageContaining("'charge'")
                    .withMessageContaining("other arguments");

            assertThat(ran).containsExactly("charge");
        }
    }

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
                        workshop.letAnotherTakeOver();
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

        @Test
        void runsOnTheThreadsThatTheOperationIsTakenAlongTo() throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                workshop.fails(() -> inParallel(threads, 8, 5));
                workshop.succeeds(() -> inParallel(threads, 8, -1));
                assertThat(ran).hasSize(8).doesNotHaveDuplicates();
                assertThat(threads.submit(IdempotencyContext::current).get()).isEmpty();
            } finally {
                threads.shutdownNow();
            }
        }

        @Test
        void thatTwoBranchesAskForRunsOnce() throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(1);
            try {
                assertThatIllegalStateException()
                        .isThrownBy(() -> workshop.succeeds(() -> steps.run("charge", String.class, step -> {
                            run("charge");
                            Callable<String> branch = IdempotencyContext.wrap(
                                    () -> steps.run("charge", String.class, again -> run("charge again")));
                            return joined(threads.submit(branch));
                        })))
                        .withMessageContaining("twice");
            } finally {
                threads.shutdownNow();
            }
            assertThat(ran).containsExactly("charge");
        }

        @Test
        void thatBeginAfterTheOperationHasEndedAreRefused() {
            List<Callable<String>> late = new ArrayList<>();
            workshop.fails(() -> {
                late.add(IdempotencyContext.wrap(() -> steps.run("ship", String.class, step -> run("ship"))));
                throw new IllegalStateException("planted");
            });

            assertThatIllegalStateException()
                    .isThrownBy(() -> late.get(0).call())
                    .withMessageContaining("had ended");
            assertThat(ran).isEmpty();
        }

        private String inParallel(ExecutorService threads, int items, int failing) {
            List<Future<String>> branches = IntStream.range(0, items)
                    .mapToObj(item -> threads.submit(IdempotencyContext.wrap(() -> shipped(item, failing))))
                    .toList();
            await().until(() -> branches.stream().allMatch(Future::isDone));
            branches.forEach(IdempotentStepsTests::joined);
            return "done";
        }
    }

    @Nested
    class AStepThatIsHeld {

        private final StepWork<String, RuntimeException> wire = step -> run("wire");

        @Test
        void isMarkedBeforeItRuns() {
            workshop.succeeds(() -> held().run(String.class, wire));

            assertThat(workshop.writes()).isEqualTo(2);
        }

        @Test
        void isSkippedOnceItIsDone() {
            workshop.fails(() -> {
                held().run(String.class, wire);
                throw new IllegalStateException("planted");
            });

            assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
            assertThat(ran).containsExactly("wire");
        }

        @Test
        void holdsTheOperationWhenItFails() {
            workshop.fails(() -> held().run(String.class, step -> {
                run("wire");
                throw new IllegalStateException("no answer");
            }));

            assertThatExceptionOfType(OperationInDoubtException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
            assertThat(ran).containsExactly("wire");
        }

        @Test
        void holdsTheOperationWhenItsAttemptVanishedInside() {
            workshop.vanishes(() -> held().run(String.class, step -> {
                run("wire");
                throw workshop.vanishing();
            }));

            assertThatExceptionOfType(StepInDoubtException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)))
                    .withMessageContaining("'wire'");
            assertThatExceptionOfType(OperationInDoubtException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
            assertThat(ran).containsExactly("wire");
        }

        @Test
        void runsAgainOnceAnOperatorHasFoundThatItWasNotDone() {
            workshop.fails(() -> held().run(String.class, step -> {
                throw new IllegalStateException("no answer");
            }));

            workshop.resolve();

            assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
        }

        @Test
        void isSkippedOnceAnOperatorHasGivenItsResult() {
            workshop.fails(() -> held().run(String.class, step -> {
                throw new IllegalStateException("no answer");
            }));

            workshop.resolveStep("wire", "found at the bank");
            workshop.resolve();

            assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("found at the bank");
            assertThat(ran).isEmpty();
        }

        @Test
        void leavesNoDoubtWhenItHadNoEffect() {
            workshop.fails(() -> held().run(String.class, step -> {
                step.hadNoEffect();
                throw new IllegalStateException("declined");
            }));

            assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
        }

        @Test
        void leavesNoDoubtWhenItCouldNotBeMarked() {
            workshop.failingToRecord(1);
            workshop.fails(() -> held().run(String.class, wire));
            assertThat(ran).isEmpty();

            assertThat(workshop.succeeds(() -> held().run(String.class, wire))).isEqualTo("wire");
        }

        @Test
        void holdsTheOperationWhenItsResultCouldNotBeRecorded() {
            workshop.fails(() -> held().run(String.class, step -> {
                workshop.failingToRecord(1);
                return run("wire");
            }));

            assertThatExceptionOfType(OperationInDoubtException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
            assertThat(ran).containsExactly("wire");
        }

        @Test
        void holdsTheOperationThoughSomethingThatHadNoEffectCameBefore() {
            workshop.fails(() -> held().run(String.class, step -> {
                step.hadNoEffect();
                workshop.failingToRecord(1);
                return run("wire");
            }));

            assertThatExceptionOfType(OperationInDoubtException.class)
                    .isThrownBy(() -> workshop.succeeds(() -> held().run(String.class, wire)));
            assertThat(ran).containsExactly("wire");
        }

        private IdempotentSteps.StepSpec held() {
            return steps.step("wire").onAbandoned(OnAbandoned.HOLD);
        }
    }

    @Nested
    class AStepThatIsChecked {

        private Optional<String> found = Optional.empty();

        @Test
        void isNotLookedUpAtFirst() {
            assertThat(workshop.succeeds(() -> checked(step -> run("charge")))).isEqualTo("charge");

            assertThat(ran).containsExactly("charge");
            assertThat(workshop.writes()).isEqualTo(2);
        }

        @Test
        void isLookedUpWhenItsAttemptVanishedInsideAndGivesWhatIsFound() {
            workshop.vanishes(() -> checked(step -> {
                run("charge");
                throw workshop.vanishing();
            }));
            found = Optional.of("found");

            workshop.fails(() -> {
                checked(step -> run("charge again"));
                throw new IllegalStateException("planted");
            });
            assertThat(workshop.succeeds(() -> checked(step -> run("charge again"))))
                    .isEqualTo("found");

            assertThat(ran).containsExactly("charge", "check");
        }

        @Test
        void runsAgainWhenNothingIsFound() {
            workshop.fails(() -> checked(step -> {
                throw new IllegalStateException("no answer");
            }));

            assertThat(workshop.succeeds(() -> checked(step -> run("charge")))).isEqualTo("charge");

            assertThat(ran).containsExactly("check", "charge");
        }

        @Test
        void isLookedUpWithItsKey() {
            List<String> keys = new ArrayList<>();
            StepWork<String, RuntimeException> work = step -> {
                keys.add(step.key());
                throw new IllegalStateException("planted");
            };
            StepWork<Optional<String>, RuntimeException> check = step -> {
                keys.add(step.key());
                return Optional.of("found");
            };
            workshop.fails(() -> steps.step("charge").runChecked(String.class, check, work));
            workshop.succeeds(() -> steps.step("charge").runChecked(String.class, check, work));

            assertThat(keys).hasSize(2).containsOnly(keys.get(0));
        }

        @Test
        void isLookedUpAgainWhenTheCheckFails() {
            workshop.fails(() -> checked(step -> {
                throw new IllegalStateException("no answer");
            }));
            workshop.fails(() -> steps.step("charge")
                    .runChecked(
                            String.class,
                            step -> {
                                throw new IllegalStateException("no answer either");
                            },
                            step -> run("charge")));
            found = Optional.of("found");

            assertThat(workshop.succeeds(() -> checked(step -> run("charge")))).isEqualTo("found");
            assertThat(ran).containsExactly("check");
        }

        private String checked(StepWork<String, RuntimeException> work) {
            return steps.step("charge")
                    .runChecked(
                            String.class,
                            step -> {
                                run("check");
                                return found;
                            },
                            work);
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
        void aStepRunsWithARandomKeyWhereTheStoreFailedAndTheOperationProceeds() {
            workshop.failingToClaim();
            List<String> keys = new ArrayList<>();

            workshop.proceeding(() -> {
                steps.run("charge", step -> keys.add(step.key()));
                steps.run("charge", step -> keys.add(step.key()));
                return "done";
            });

            assertThat(keys).hasSize(2).doesNotHaveDuplicates();
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

    private record Receipt(String number, int amount) {}

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

    private String shipped(int item, int failing) {
        return steps.run("ship", Integer.toString(item), String.class, step -> {
            if (item == failing) {
                throw new IllegalStateException("planted");
            }
            return run("item " + item);
        });
    }

    private String run(String what) {
        ran.add(what);
        return what;
    }

    private static <T> T joined(Future<T> branch) {
        try {
            return branch.get();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new AssertionError(failure);
        }
    }
}
