package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentWork;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What steps and transactions cost beside the claim and its end. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcStepRoundTripsTests extends WithCountedStatements {

    @Test
    void aStepCostsFewStatementsAndNoneOnceItIsDone() {
        IdempotentSteps steps = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> idempotency);
        int step = switch (product) {
            case POSTGRES -> 1;
            // The commit is one of them.
            case GENERIC -> 4;
            default -> 2;
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> executeWithSteps(() -> {
                    steps.run("charge", String.class, current -> "receipt");
                    steps.run("account", String.class, current -> "account");
                    throw new IllegalStateException("planted");
                }));
        int claimAndRelease = product == TestDatabase.Product.POSTGRES ? 2 : 3;
        assertThat(log.executed()).hasSize(claimAndRelease + 2 * step);
        log.clear();

        executeWithSteps(() -> steps.run("charge", String.class, current -> "another receipt")
                + steps.run("account", String.class, current -> "another account"));

        // Reads, takes, reads the steps, completes.
        assertThat(log.executed()).hasSize(4);
    }

    @Test
    void aHundredRecordedStepsComeAlongAsOneDoes() {
        IdempotentSteps steps = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> idempotency);
        IdempotentWork<String, RuntimeException> loop = () -> {
            for (int item = 0; item < 100; item++) {
                steps.run("ship", Integer.toString(item), step -> {});
            }
            return "shipped";
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> executeWithSteps(() -> {
                    loop.run();
                    throw new IllegalStateException("planted");
                }));
        log.clear();

        executeWithSteps(loop);

        // Reads, takes, reads the steps, completes.
        assertThat(log.executed()).hasSize(4);
    }

    @Test
    void aTransactionalExecutionCostsOneStatementMore() {
        assumeThat(product).isNotEqualTo(TestDatabase.Product.GENERIC);
        try (IdempotencyTemplate transactional = transactional()) {
            transactional.operation("operation").key(key).transactional().execute(String.class, () -> "value");
        }

        List<String> executed = log.executed();
        assertThat(executed).hasSize(product == TestDatabase.Product.POSTGRES ? 4 : 5);
        assertThat(executed.subList(executed.size() - 3, executed.size()))
                .satisfiesExactly(
                        lock -> assertThat(lock).startsWith("SELECT").contains("FOR "),
                        complete -> assertThat(complete).startsWith("UPDATE"),
                        commit -> assertThat(commit).isEqualTo("commit"));
    }

    @Test
    void aTransactionalStepCostsThreeStatementsAndACommit() {
        assumeThat(product).isNotEqualTo(TestDatabase.Product.GENERIC);
        try (IdempotencyTemplate transactional = transactional()) {
            IdempotentSteps steps = JournaledSteps.recorded(new JsonOutcomeCodecFactory(1_000), () -> transactional);
            transactional.operation("operation").key(key).execute(() -> {
                log.clear();
                steps.step("book").transactional().run(step -> {});
                assertThat(log.executed())
                        .satisfiesExactly(
                                lock -> assertThat(lock).startsWith("SELECT").contains("FOR "),
                                renew -> assertThat(renew).startsWith("UPDATE"),
                                step -> assertThat(step).contains("idempotency_step"),
                                commit -> assertThat(commit).isEqualTo("commit"));
            });
        }
    }

    private void executeWithSteps(IdempotentWork<String, RuntimeException> work) {
        idempotency.operation("operation").key(key).execute(String.class, work);
    }
}
