package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

/** What applications do with {@link IdempotencyOperations}, with values as JSON. */
class ProgrammaticDoorTests {

    private final IdempotencyTemplate engine = new IdempotencyTemplate(
            new InMemoryIdempotencyStore(100),
            new JsonOutcomeCodecFactory(1_000),
            new EngineSettings("door", Duration.ofSeconds(20), 10),
            OperationPolicy.DEFAULT,
            SurroundingTransaction.NONE,
            List.of());

    private final IdempotencyOperations.CallSpec call =
            engine.operation("invoice").key("evt_1");

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aValueOfAGenericTypeComesBackAsThatType() {
        ParameterizedTypeReference<Map<String, List<Invoice>>> type = new ParameterizedTypeReference<>() {};
        Map<String, List<Invoice>> value = Map.of("ada", List.of(new Invoice("1", 10), new Invoice("2", 20)));

        IdempotentResult<Map<String, List<Invoice>>> first = call.execute(type.getType(), () -> value);
        IdempotentResult<Map<String, List<Invoice>>> second =
                call.execute(type.getType(), ProgrammaticDoorTests::never);

        assertThat(first).isEqualTo(new IdempotentResult<>(value, false, 1));
        assertThat(second).isEqualTo(new IdempotentResult<>(value, true, 1));
    }

    @Test
    void nothingIsAValueToo() {
        call.execute(Void.class, () -> null);

        assertThat(call.execute(Void.class, ProgrammaticDoorTests::<Void>never))
                .isEqualTo(new IdempotentResult<>(null, true, 1));
    }

    /** The compiler knows what is thrown: the lambda's {@code IOException} is the method's. */
    @Test
    void aCheckedExceptionReachesTheCallerAsItIsAndTheNextAttemptCounts() {
        IOException failure = new IOException("planted");

        assertThatThrownBy(() -> failing(failure)).isSameAs(failure);

        assertThat(call.execute(String.class, () -> "done")).isEqualTo(new IdempotentResult<>("done", false, 2));
        assertThat(call.execute(String.class, ProgrammaticDoorTests::never))
                .isEqualTo(new IdempotentResult<>("done", true, 2));
    }

    @Test
    void aTypeThatCannotBeRecordedIsRefusedBeforeAnythingRuns() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call.execute(Thread.class, ProgrammaticDoorTests::never))
                .withMessageContaining("Thread");

        assertThat(call.execute(String.class, () -> "ran").attempt()).isOne();
    }

    @Test
    void aFailureIsAnOutcomeWhereThePolicySaysSo() {
        IdempotencyOperations.CallSpec recording =
                call.policy(policy -> policy.withRecordedFailures(Set.of(IOException.class)));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> recording.execute(String.class, () -> {
                    throw new IOException("declined");
                }));

        assertThatExceptionOfType(RecordedFailureException.class)
                .isThrownBy(() -> recording.execute(String.class, ProgrammaticDoorTests::never))
                .withMessageContaining("declined");
    }

    @Test
    void aFailureIsADoubtWhereThePolicySaysSo() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> call.policy(policy -> policy.withOnFailure(OnFailure.HOLD))
                        .execute(String.class, () -> {
                            throw new IOException("no answer");
                        }));

        assertThatExceptionOfType(OperationInDoubtException.class)
                .isThrownBy(() -> call.execute(String.class, ProgrammaticDoorTests::never));
    }

    @Test
    void aDescriptionOfACallMayBeUsedAgainAndChangesNothingOfAnother() {
        IdempotencyOperations.CallSpec scoped = call.scope("ada");

        assertThat(call.execute(String.class, () -> "without scope").value()).isEqualTo("without scope");
        assertThat(scoped.execute(String.class, () -> "ada's").value()).isEqualTo("ada's");
        assertThat(call.execute(String.class, ProgrammaticDoorTests::never).value())
                .isEqualTo("without scope");
    }

    private void failing(IOException failure) throws IOException {
        call.execute(String.class, () -> {
            throw failure;
        });
    }

    private static <T> T never() {
        throw new AssertionError("The work must not run");
    }

    private record Invoice(String number, int amount) {}
}
