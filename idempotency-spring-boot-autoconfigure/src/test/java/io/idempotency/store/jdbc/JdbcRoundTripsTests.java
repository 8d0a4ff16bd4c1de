package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.IdempotentWork;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.Resolution;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** What the store costs: statements as its connections count them, and nothing beside them. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcRoundTripsTests {

    @Parameter
    private TestDatabase.Product product;

    private final StatementLog log = new StatementLog();

    private final String key = UUID.randomUUID().toString();

    private TestDatabase database;

    private HikariDataSource application;

    private JdbcIdempotencyStore store;

    private IdempotencyTemplate idempotency;

    @BeforeEach
    void open() {
        database = product.open();
        HikariConfig configuration = database.configuration();
        configuration.setDataSource(log.watching(new DriverDataSource(
                configuration.getJdbcUrl(),
                null,
                configuration.getDataSourceProperties(),
                configuration.getUsername(),
                configuration.getPassword())));
        application = new HikariDataSource(configuration);
        store = database.openStore(application, TestDatabase.SETTINGS);
        idempotency = new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("round-trips", Duration.ofSeconds(10), 0),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
        store.claim(Claims.request(Claims.newIdentity()));
        log.clear();
    }

    @AfterEach
    void close() {
        idempotency.close();
        store.close();
        application.close();
        database.close();
    }

    @Test
    void aFirstExecutionCostsTwoStatementsOrThree() {
        assertThat(execute(key).replayed()).isFalse();

        assertThat(log.executed()).hasSize(product == TestDatabase.Product.POSTGRES ? 2 : 3);
        assertThat(log.executed().get(log.executed().size() - 1)).startsWith("UPDATE");
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

    private IdempotencyTemplate transactional() {
        return new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("round-trips", Duration.ofSeconds(10), 0),
                OperationPolicy.DEFAULT,
                new SpringSurroundingTransaction(new ConnectionProbe()),
                new SpringWorkTransactions(
                        new DefaultListableBeanFactory(),
                        () -> new DataSourceTransactionManager(application),
                        new ConnectionProbe()),
                List.of());
    }

    @Test
    void aReplayCostsOneStatement() {
        execute(key);
        log.clear();

        assertThat(execute(key).replayed()).isTrue();

        assertThat(log.executed()).hasSize(1);
    }

    @Test
    void aDuplicateCostsOneStatement() {
        Identity identity = Claims.newIdentity();
        store.claim(Claims.request(identity));
        log.clear();

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);

        assertThat(log.executed()).hasSize(1);
    }

    @Test
    void theNextAttemptCostsOneStatementMoreThanADuplicate() {
        Identity identity = Claims.newIdentity();
        store.release(Claims.granted(store, identity), Claims.RETENTION);
        log.clear();

        Claims.granted(store, identity);

        assertThat(log.executed()).hasSize(2);
    }

    @Test
    void aTakeoverCostsOneStatementMoreThanADuplicate() {
        Identity identity = Claims.newIdentity();
        store.claim(Claims.request(identity, Duration.ofMillis(1)));
        await().until(() -> remainingLease(identity).compareTo(Duration.ZERO) <= 0);
        log.clear();

        Claims.granted(store, identity);

        assertThat(log.executed()).hasSize(2);
    }

    private Duration remainingLease(Identity identity) {
        return store.find(identity).orElseThrow().remainingLease();
    }

    @Test
    void everyEndOfAnAttemptCostsOneStatement() {
        assertThatCostsOneStatement(claim -> store.complete(claim, Claims.OUTCOME, Claims.RETENTION));
        assertThatCostsOneStatement(claim -> store.release(claim, Claims.RETENTION));
        assertThatCostsOneStatement(claim -> store.hold(claim));
    }

    @Test
    void readingARecordAndEndingADoubtWithAnOutcomeCostsOneStatement() {
        assertThatCostsOneStatement(claim -> store.find(claim.identity()));

        Claim held = Claims.granted(store, Claims.newIdentity());
        store.hold(held);
        log.clear();
        store.resolve(held.identity(), 1, new Resolution.Complete(Claims.OUTCOME, Claims.RETENTION));
        assertThat(log.executed()).hasSize(1);
    }

    private void assertThatCostsOneStatement(Consumer<Claim> verb) {
        Claim claim = Claims.granted(store, Claims.newIdentity());
        log.clear();

        verb.accept(claim);

        assertThat(log.executed()).hasSize(1);
    }

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

    private void executeWithSteps(IdempotentWork<String, RuntimeException> work) {
        idempotency.operation("operation").key(key).execute(String.class, work);
    }

    @Test
    void aBatchOfRenewalsCostsOneStatement() {
        List<Claim> claims = Stream.generate(() -> Claims.granted(store, Claims.newIdentity()))
                .limit(20)
                .toList();
        log.clear();

        store.renew(claims);

        assertThat(log.executed()).hasSize(1);
    }

    private IdempotentResult<String> execute(String key) {
        return idempotency
                .operation("operation")
                .key(key)
                .fingerprint(Fingerprint.of("asked"))
                .execute(String.class, () -> "value");
    }
}
