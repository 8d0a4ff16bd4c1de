package io.idempotency.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.client.IdempotencyKeyInterceptor;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.StepContext;
import io.idempotency.step.StepWork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.client.RestClient;

/**
 * An application with one operation of three steps, each of which calls another system, or writes a row of the database that
 * the records are in.
 */
final class Workflow implements AutoCloseable {

    static final String NAMESPACE = "faults";

    static final String OPERATION = "workflow";

    static final List<String> STEPS = List.of("charge_card", "create_account", "send_mail");

    /** Attempts are kept at points on the threads of the engine, which must not give up meanwhile. */
    private static final Duration STORE_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofSeconds(6);

    /** More than transactions are kept open at points. */
    private static final int CONNECTIONS = 16;

    /** How a step is run, and what is done about it when its attempt vanished inside of it. */
    enum Treatment {
        RETRY,
        CHECK,
        HOLD,

        /** As {@link #RETRY}; the second step is an annotated method. */
        ANNOTATED,

        /** Row and record are committed together. */
        TRANSACTIONAL,

        /** The same; the second step is an annotated method. */
        ANNOTATED_TRANSACTIONAL;

        /** Says whether the steps write rows, and call no other system. */
        boolean isTransactional() {
            return this == TRANSACTIONAL || this == ANNOTATED_TRANSACTIONAL;
        }

        /** Says whether the beginning of a step is recorded. */
        boolean isMarked() {
            return this == CHECK || this == HOLD;
        }

        /** Returns the steps at whose points it is worth to die: where a transaction is kept open, there are few. */
        List<String> steps() {
            return this == ANNOTATED || isTransactional() ? List.of(AnnotatedSteps.CREATE_ACCOUNT) : STEPS;
        }
    }

    private final StepObserver observer;

    private final HikariDataSource pool;

    private final JdbcTemplate rows;

    private final OpenStore store;

    private final RestClient systems;

    private final AnnotationConfigApplicationContext application;

    private final IdempotencyOperations operations;

    private final IdempotentSteps steps;

    Workflow(WorkflowPlaces places, StepObserver observer) {
        this.observer = observer;
        this.systems = RestClient.builder()
                .baseUrl(places.systems())
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new IdempotencyKeyInterceptor())
                .build();
        this.pool = places.records().newLazyPool();
        pool.setMaximumPoolSize(CONNECTIONS);
        this.rows = new JdbcTemplate(pool);
        this.store = places.haveRows()
                ? places.records().openOver(pool, STORE_TIMEOUT)
                : places.records().open(STORE_TIMEOUT);
        this.application = application(places);
        this.operations = application.getBean(IdempotencyOperations.class);
        this.steps = application.getBean(IdempotentSteps.class);
    }

    private AnnotationConfigApplicationContext application(WorkflowPlaces places) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "idempotency.namespace=" + NAMESPACE,
                        "idempotency.store-timeout=" + STORE_TIMEOUT.toSeconds() + "s",
                        "idempotency.lease=" + LEASE.toSeconds() + "s",
                        "idempotency.max-waiters=256")
                .applyTo(context);
        context.registerBean(IdempotencyStore.class, () -> ObservedSteps.of(store.store(), observer));
        context.registerBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(pool));
        context.registerBean(AnnotatedSteps.Plain.class, () -> new AnnotatedSteps.Plain(this::callSystem));
        if (places.haveRows()) {
            context.registerBean(
                    AnnotatedSteps.Transactional.class, () -> new AnnotatedSteps.Transactional(this::writeRow));
        }
        context.register(
                IdempotencyAutoConfiguration.class,
                IdempotentMethodAutoConfiguration.class,
                AopAutoConfiguration.class);
        context.refresh();
        return context;
    }

    /**
     * Runs the steps, or replays.
     *
     * @param maxWait how long to wait for another execution
     * @return what the other systems answered, or what the rows hold
     */
    IdempotentResult<String> run(WorkflowCall call, Duration maxWait) {
        return operations
                .operation(OPERATION)
                .key(call.key())
                .policy(standard -> standard.withMaxWait(maxWait))
                .execute(
                        String.class,
                        () -> STEPS.stream().map(step -> step(call, step)).collect(Collectors.joining(" ")));
    }

    private String step(WorkflowCall call, String name) {
        String key = call.key();
        IdempotentSteps.StepSpec step = steps.step(name);
        StepWork<String, RuntimeException> work = running -> callSystem(key, name);
        StepWork<String, RuntimeException> transactionalWork = running -> writeRow(key, name);
        boolean isAnnotated = name.equals(AnnotatedSteps.CREATE_ACCOUNT);
        String result = switch (call.treatment()) {
            case RETRY -> step.run(String.class, work);
            case CHECK -> step.runChecked(String.class, running -> lookUp(key, running), work);
            case HOLD -> step.onAbandoned(OnAbandoned.HOLD).run(String.class, work);
            case ANNOTATED ->
                isAnnotated
                        ? application.getBean(AnnotatedSteps.Plain.class).createAccount(key)
                        : step.run(String.class, work);
            case TRANSACTIONAL -> step.transactional().run(String.class, transactionalWork);
            case ANNOTATED_TRANSACTIONAL ->
                isAnnotated
                        ? application
                                .getBean(AnnotatedSteps.Transactional.class)
                                .createAccount(key)
                        : step.transactional().run(String.class, transactionalWork);
        };
        observer.reached(call.identity(), name, StepPoint.AFTER_STEP);
        return result;
    }

    private String callSystem(String workflow, String step) {
        return betweenPoints(workflow, step, () -> post(workflow, step));
    }

    private String writeRow(String workflow, String step) {
        return betweenPoints(workflow, step, () -> {
            rows.update("INSERT INTO effect VALUES (?, ?)", workflow, step);
            return "row of process " + ProcessHandle.current().pid();
        });
    }

    private String betweenPoints(String workflow, String step, Supplier<String> work) {
        Identity operation = WorkflowCall.identity(workflow);
        observer.reached(operation, step, StepPoint.BEFORE_CALL);
        String result = work.get();
        observer.reached(operation, step, StepPoint.AFTER_CALL);
        return result;
    }

    private String post(String workflow, String step) {
        return systems.post()
                .uri("/{workflow}/{step}", workflow, step)
                .retrieve()
                .requiredBody(String.class);
    }

    private Optional<String> lookUp(String workflow, StepContext step) {
        return systems.get()
                .uri("/{workflow}/{step}", workflow, step.name())
                .header("Idempotency-Key", step.key())
                .exchangeForRequiredValue((request, response) -> response.getStatusCode() == HttpStatus.NOT_FOUND
                        ? Optional.empty()
                        : Optional.ofNullable(response.bodyTo(String.class)));
    }

    @Override
    public void close() {
        application.close();
        store.close();
        pool.close();
    }
}
