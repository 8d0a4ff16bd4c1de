package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.StepConflictException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;

/** Results of steps, and what is compared with what was recorded. */
class StepResultTests extends InAWorkshop {

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
                .isThrownBy(() ->
                        workshop.succeeds(() -> steps.run("charge", Receipt.class, step -> new Receipt(run("again"), 1))
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

    @Test
    void mayBeAsLongAsTheLimitAndNoLonger() {
        int quotes = 2;
        String longest = "x".repeat(Workshop.MAX_RESULT - quotes);
        Callable<String> work = () -> {
            steps.run("longest", String.class, step -> longest);
            steps.run("longer", String.class, step -> longest + "x");
            throw new IllegalStateException("planted");
        };
        assertThat(workshop.fails(work)).hasMessage("planted");

        assertThatExceptionOfType(StepConflictException.class)
                .isThrownBy(() -> workshop.succeeds(work))
                .withMessageContaining("'longer'");
    }

    @Test
    void isReadByTheNamesThatTheTypeHasNow() {
        ParameterizedTypeReference<List<Receipt>> before = new ParameterizedTypeReference<>() {};
        ParameterizedTypeReference<List<Bill>> now = new ParameterizedTypeReference<>() {};
        workshop.fails(() -> {
            steps.run("charge", before.getType(), step -> List.of(new Receipt("r", 1)));
            throw new IllegalStateException("planted");
        });

        List<Bill> bills = workshop.succeeds(
                now.getType(),
                () -> steps.<List<Bill>, RuntimeException>run("charge", now.getType(), step -> {
                    throw new AssertionError("The step was done");
                }));

        assertThat(bills).containsExactly(new Bill(null, 1));
    }

    @Test
    void ofAnEnumConstantThatIsGoneIsRefusedByNameAndNothingRunsAgain() {
        workshop.fails(() -> {
            steps.run("charge", Before.class, step -> Before.PENDING);
            throw new IllegalStateException("planted");
        });

        assertThatExceptionOfType(StepConflictException.class)
                .isThrownBy(() -> workshop.succeeds(
                        () -> steps.run("charge", Now.class, step -> Now.PAID).name()))
                .withMessageContaining("'charge'");
    }

    @ParameterizedTest
    @ValueSource(classes = {Stream.class, CompletableFuture.class, Optional.class, InputStream.class, Object.class})
    void ofATypeThatIsNoValueStopsTheStepBeforeItRuns(Class<?> type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> workshop.succeeds(() -> {
                    steps.run("charge", (Type) type, step -> {
                        run("charge");
                        return null;
                    });
                    return "never";
                }))
                .withMessageContaining(type.getName());

        assertThat(ran).isEmpty();
    }

    private record Bill(String id, int amount) {}

    private enum Before {
        PENDING
    }

    private enum Now {
        PAID
    }

    private record Receipt(String number, int amount) {}
}
