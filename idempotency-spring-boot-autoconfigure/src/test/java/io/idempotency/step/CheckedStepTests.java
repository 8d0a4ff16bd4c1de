package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
