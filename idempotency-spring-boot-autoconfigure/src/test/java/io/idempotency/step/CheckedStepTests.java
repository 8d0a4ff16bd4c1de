package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.OnAbandoned;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

/** Steps that are looked up before they are repeated. */
class CheckedStepTests extends InAWorkshop {

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

    @Test
    void isLookedUpAgainWhateverTheCheckThrows() {
        List<Throwable> failures = List.of(new IOException("planted"), new NoClassDefFoundError("planted"));
        workshop.fails(() -> checked(step -> {
            throw new IllegalStateException("no answer");
        }));

        for (Throwable failure : failures) {
            assertThatThrownBy(() -> workshop.attempts(() -> steps.step("charge")
                            .<String, Throwable>runChecked(
                                    String.class,
                                    step -> {
                                        throw failure;
                                    },
                                    step -> run("charge"))))
                    .isSameAs(failure);
        }
        assertThat(workshop.succeeds(() -> checked(step -> run("charge")))).isEqualTo("charge");
        assertThat(ran).containsExactly("check", "charge");
    }

    @Test
    void isNotRunWhenTheCheckGivesNull() {
        workshop.fails(() -> checked(step -> {
            throw new IllegalStateException("no answer");
        }));

        assertThat(workshop.fails(
                        () -> steps.step("charge").runChecked(String.class, step -> null, step -> run("charge"))))
                .hasMessageContaining("'charge'")
                .hasMessageContaining("empty Optional");
        assertThat(ran).isEmpty();
    }

    @Test
    void isNotHeldAsWell() {
        IdempotentSteps.StepSpec held = steps.step("charge").onAbandoned(OnAbandoned.HOLD);

        assertThat(workshop.fails(
                        () -> held.runChecked(String.class, step -> Optional.of("found"), step -> run("charge"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'charge'")
                .hasMessageContaining("onAbandoned");
        assertThat(ran).isEmpty();
    }

    @Test
    void givesWhatIsOfAGenericTypeOnceItIsFoundAndOnceItIsRecorded() {
        Type days = new ParameterizedTypeReference<List<LocalDate>>() {}.getType();
        Callable<List<LocalDate>> book = () -> steps.step("book")
                .runChecked(
                        days,
                        step -> Optional.of(List.of(LocalDate.EPOCH)),
                        step -> List.of(LocalDate.parse(run("no"))));
        workshop.fails(book);

        for (String attempt : List.of("found", "recorded")) {
            workshop.fails(() -> {
                assertThat(book.call()).as(attempt).containsExactly(LocalDate.EPOCH);
                throw new IllegalStateException("planted");
            });
        }
        assertThat(ran).containsExactly("no");
    }

    @Test
    void mayAskForOtherStepsInItsCheck() {
        workshop.fails(() -> checked(step -> {
            throw new IllegalStateException("no answer");
        }));

        assertThat(workshop.succeeds(() -> steps.step("charge")
                        .runChecked(
                                String.class,
                                step -> Optional.of(steps.run("find", String.class, inner -> run("found"))),
                                step -> run("charge"))))
                .isEqualTo("found");
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
