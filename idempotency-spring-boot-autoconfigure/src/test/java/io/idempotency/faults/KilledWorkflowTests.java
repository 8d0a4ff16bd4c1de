package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.idempotency.core.OperationInDoubtException;
import io.idempotency.faults.Workflow.Treatment;
import io.idempotency.faults.WorkflowCallers.End;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JVMs that are killed between and inside of the steps of workflows. Afterwards the same calls are made again, and what the
 * other systems have seen is compared with what is promised for each way to treat a step.
 */
@Tag("faults")
class KilledWorkflowTests {

    /** Callers of one workflow, in each of two JVMs. */
    private static final int CALLERS = 8;

    @TempDir
    private Path directory;

    @TempDir
    private Path otherDirectory;

    private OtherSystems systems;

    @BeforeEach
    void open() throws Exception {
        systems = new OtherSystems();
    }

    @AfterEach
    void close() {
        systems.close();
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void aRetryAfterAKillDoesWhatWasNotRecordedAndNothingElse(StoreAddress.Kind kind) throws Exception {
        killAndRepeat(kind);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRES")
    @Tag("faults-long")
    void theSameHoldsOnTheOtherStores(StoreAddress.Kind kind) throws Exception {
        killAndRepeat(kind);
    }

    /** The third step fails at first, while all others wait; each failure is that of one caller, and another goes on. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MARIADB")
    @Tag("faults-long")
    void callersOnTwoJvmsTogetherDoEachStepOnce(StoreAddress.Kind kind) throws Exception {
        WorkflowPlaces places = WorkflowPlaces.of(kind, systems.uri());
        WorkflowCall call = WorkflowCall.of(Treatment.RETRY, "send_mail", StepPoint.BEFORE_CALL);
        List<WorkflowCall> calls = Collections.nCopies(CALLERS, call);
        systems.failFirst(4, "send_mail");
        List<End> ends = new ArrayList<>();
        try (ForkedJvm elsewhere = WorkflowCallers.start(places, calls, directory);
                WorkflowCallers here = new WorkflowCallers(places, calls)) {
            here.awaitMeeting();
            elsewhere.awaitPoint();
            systems.answer();

            ends.addAll(here.ends());
            ends.addAll(WorkflowCallers.ends(elsewhere));
        }

        assertThat(ends.stream().collect(Collectors.groupingBy(End::how, Collectors.counting())))
                .containsOnly(entry("ServiceUnavailable", 4L), entry("executed", 1L), entry("replayed", 11L));
        assertThat(resultsOf(ends)).hasSize(1);
        assertThat(Workflow.STEPS)
                .extracting(step -> systems.calls(call.key(), step))
                .containsExactly(1, 1, 5);
        assertThat(Workflow.STEPS)
                .extracting(step -> systems.effects(call.key(), step))
                .containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MARIADB")
    @Tag("faults-long")
    void callersOnTwoJvmsTogetherGoOnAfterAKill(StoreAddress.Kind kind) throws Exception {
        WorkflowPlaces places = WorkflowPlaces.of(kind, systems.uri());
        List<WorkflowCall> killed = treatments(places)
                .map(treatment -> WorkflowCall.of(treatment, "create_account", StepPoint.AFTER_CALL))
                .toList();
        List<WorkflowCall> calls = Collections.nCopies(CALLERS, killed).stream()
                .flatMap(List::stream)
                .toList();
        List<End> ends = new ArrayList<>();
        try (ForkedJvm doomed = DoomedWorkflows.startAndAwait(places, killed, directory);
                ForkedJvm elsewhere = WorkflowCallers.start(places, calls, otherDirectory);
                WorkflowCallers here = new WorkflowCallers(places, calls)) {
            here.awaitMeeting();
            elsewhere.awaitPoint();
            doomed.kill();

            ends.addAll(here.ends());
            ends.addAll(WorkflowCallers.ends(elsewhere));
        }

        assertThat(killed).allSatisfy(call -> {
            List<End> ofCall =
                    ends.stream().filter(end -> end.key().equals(call.key())).toList();
            assertThat(ofCall.stream().collect(Collectors.groupingBy(End::how, Collectors.counting())))
                    .isEqualTo(
                            isHeld(call)
                                    ? Map.of("StepInDoubtException", 1L, "OperationInDoubtException", 15L)
                                    : Map.of("executed", 1L, "replayed", 15L));
            assertThat(resultsOf(ofCall)).hasSize(isHeld(call) ? 0 : 1);
        });
        assertThatTheSystemsHaveSeenWhatIsPromised(killed);
        assertThatEachRowIsWrittenOnce(places, killed);
        assertThatNothingHappensAnyMore(places, killed);
    }

    /** One JVM dies at all points at once: each is that of a workflow of its own. */
    private void killAndRepeat(StoreAddress.Kind kind) throws Exception {
        WorkflowPlaces places = WorkflowPlaces.of(kind, systems.uri());
        List<WorkflowCall> calls =
                treatments(places).flatMap(WorkflowCall::allOf).toList();
        try (ForkedJvm doomed = DoomedWorkflows.startAndAwait(places, calls, directory)) {
            doomed.kill();
        }
        assertThatRowsAndRecordsAreThereTogether(places, calls);

        try (WorkflowCallers callers = new WorkflowCallers(places, calls)) {
            Map<String, End> ends = callers.ends().stream().collect(Collectors.toMap(End::key, Function.identity()));

            assertThat(calls)
                    .allSatisfy(call -> assertThat(ends.get(call.key()).how())
                            .isEqualTo(isHeld(call) ? "StepInDoubtException" : "executed"));
        }
        assertThatTheSystemsHaveSeenWhatIsPromised(calls);
        assertThatEachRowIsWrittenOnce(places, calls);
        assertThatNothingHappensAnyMore(places, calls);
        assertThatEachRowIsWrittenOnce(places, calls);
    }

    private static Set<String> resultsOf(List<End> ends) {
        return ends.stream()
                .map(End::result)
                .filter(result -> !result.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Stream<Treatment> treatments(WorkflowPlaces places) {
        return Stream.of(Treatment.values()).filter(treatment -> places.haveRows() || !treatment.isTransactional());
    }

    private static void assertThatRowsAndRecordsAreThereTogether(WorkflowPlaces places, List<WorkflowCall> killed) {
        assertThat(transactional(killed)).allSatisfy(call -> {
            int committed = call.point() == StepPoint.AFTER_STEP ? 1 : 0;
            assertThat(places.rows(call, call.step())).isEqualTo(committed);
            assertThat(places.recordsOf(call, call.step())).isEqualTo(committed);
        });
    }

    private static void assertThatEachRowIsWrittenOnce(WorkflowPlaces places, List<WorkflowCall> calls) {
        assertThat(transactional(calls))
                .allSatisfy(call -> assertThat(Workflow.STEPS).allSatisfy(step -> {
                    assertThat(places.rows(call, step)).isOne();
                    assertThat(places.recordsOf(call, step)).isOne();
                }));
    }

    private static List<WorkflowCall> transactional(List<WorkflowCall> calls) {
        return calls.stream().filter(call -> call.treatment().isTransactional()).toList();
    }

    private void assertThatTheSystemsHaveSeenWhatIsPromised(List<WorkflowCall> killed) {
        assertThat(killed)
                .allSatisfy(call -> assertThat(Workflow.STEPS).allSatisfy(step -> {
                    assertThat(systems.calls(call.key(), step)).isEqualTo(expectedCalls(call, step));
                    assertThat(systems.effects(call.key(), step)).isEqualTo(Math.min(1, expectedCalls(call, step)));
                    assertThat(systems.lookUps(call.key(), step)).isEqualTo(expectedLookUps(call, step));
                }));
    }

    private static boolean isHeld(WorkflowCall call) {
        return call.treatment() == Treatment.HOLD && call.point().isOpen();
    }

    private static int expectedCalls(WorkflowCall killed, String step) {
        if (killed.treatment().isTransactional()) {
            return 0;
        }
        int distance = Workflow.STEPS.indexOf(step) - Workflow.STEPS.indexOf(killed.step());
        if (isHeld(killed) && distance >= 0) {
            return distance == 0 && killed.point().isCalled() ? 1 : 0;
        }
        boolean simplyRetried = killed.treatment() == Treatment.RETRY || killed.treatment() == Treatment.ANNOTATED;
        boolean repeated =
                simplyRetried && killed.point().isCalled() && killed.point().isOpen();
        return distance == 0 && repeated ? 2 : 1;
    }

    private static int expectedLookUps(WorkflowCall killed, String step) {
        boolean asked = killed.treatment() == Treatment.CHECK && killed.point().isOpen();
        return asked && step.equals(killed.step()) ? 1 : 0;
    }

    private void assertThatNothingHappensAnyMore(WorkflowPlaces places, List<WorkflowCall> calls) {
        int before = systems.calls();
        try (Workflow workflow = new Workflow(places, (operation, step, point) -> {})) {
            assertThat(calls).allSatisfy(call -> {
                if (isHeld(call)) {
                    assertThatExceptionOfType(OperationInDoubtException.class)
                            .isThrownBy(() -> workflow.run(call, Duration.ZERO));
                } else {
                    assertThat(workflow.run(call, Duration.ZERO).replayed()).isTrue();
                }
            });
        }
        assertThat(systems.calls()).isEqualTo(before);
    }
}
