package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Steps on the threads of an operation, and what may become of a thread. */
class StepThreadsTests extends InAWorkshop {

    @Test
    void aStepRunsOnTheThreadsThatTheOperationIsTakenAlongTo() throws Exception {
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
    void aStepThatTwoBranchesAskForRunsOnce() throws Exception {
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
    void stepsThatBeginAfterTheOperationHasEndedAreRefused() {
        List<Callable<String>> late = new ArrayList<>();
        workshop.fails(() -> {
            late.add(IdempotencyContext.wrap(() -> steps.run("ship", String.class, step -> run("ship"))));
            throw new IllegalStateException("planted");
        });

        assertThatIllegalStateException().isThrownBy(() -> late.get(0).call()).withMessageContaining("had ended");
        assertThat(ran).isEmpty();
    }

    @Test
    void stepsThatEndAfterTheOperationAreToldSoAndNobodyHearsOfALoss() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            List<Future<String>> late = new ArrayList<>();
            workshop.succeeds(() -> {
                late.add(threads.submit(IdempotencyContext.wrap(() -> steps.run("ship", String.class, step -> {
                    begun.countDown();
                    end.await();
                    return run("ship");
                }))));
                begun.await();
                return "done";
            });

            String log = workshop.logOf(() -> {
                end.countDown();
                assertThatIllegalStateException()
                        .isThrownBy(() -> joined(late.get(0)))
                        .withMessageContaining("'ship' ended after")
                        .withMessageContaining("wait for all");
            });
            assertThat(log).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theThreadsMayBeVirtualOnes() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(21);
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            workshop.fails(() -> inParallel(threads, 8, 5));
            workshop.succeeds(() -> inParallel(threads, 8, -1));
        } finally {
            threads.shutdownNow();
        }

        assertThat(ran).hasSize(8).doesNotHaveDuplicates();
    }

    @Test
    void stepsOfASecondThreadInsideOfAStepThatFailedAreAskedForByTheNextAttempt() {
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            workshop.fails(() -> {
                assertThatIllegalStateException().isThrownBy(() -> orderInTwoThreads(threads, "declined"));
                return orderInTwoThreads(threads, "declined again");
            });
            assertThat(workshop.succeeds(() -> orderInTwoThreads(threads, "accepted")))
                    .isEqualTo("charged");
        } finally {
            threads.shutdownNow();
        }

        assertThat(ran).containsExactly("charged", "declined", "accepted");
    }

    @Test
    void stepsOfAThreadThatIsInterruptedAreRecordedOrRunAgain() {
        Throwable told = catchThrowable(() -> workshop.succeeds(() -> steps.run("charge", String.class, step -> {
            Thread.currentThread().interrupt();
            return run("charge");
        })));

        assertThat(Thread.interrupted()).isTrue();
        if (told != null) {
            // Else the answer was there before anybody could wait for it.
            assertThat(told).isInstanceOf(IdempotencyStoreException.class);
        }

        await().until(() -> workshop.writes() == 1);
        assertThat(workshop.succeeds(() -> steps.run("charge", String.class, step -> run("charge"))))
                .isEqualTo("charge");
    }

    @Test
    void stepsThatOverflowTheStackMayBeAskedForAgain() {
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> workshop.succeeds(() -> steps.run("charge", String.class, step -> endless(1))));

        assertThat(workshop.succeeds(() -> steps.run("charge", String.class, step -> run("charge"))))
                .isEqualTo("charge");
    }

    private String inParallel(ExecutorService threads, int items, int failing) {
        List<Future<String>> branches = IntStream.range(0, items)
                .mapToObj(item -> threads.submit(IdempotencyContext.wrap(() -> shipped(item, failing))))
                .toList();
        await().until(() -> branches.stream().allMatch(Future::isDone));
        branches.forEach(StepThreadsTests::joined);
        return "done";
    }

    private String orderInTwoThreads(ExecutorService threads, String end) {
        return steps.run("order", String.class, order -> {
            String charged = joined(threads.submit(
                    IdempotencyContext.wrap(() -> steps.run("charge", String.class, step -> run("charged")))));
            if (!run(end).equals("accepted")) {
                throw new IllegalStateException(end);
            }
            return charged;
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static String endless(int depth) {
        return endless(depth + 1) + depth;
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
