package io.idempotency.faults;

import io.idempotency.client.IdempotencyKeyInterceptor;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.step.StepContext;
import io.idempotency.step.StepWork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** An application with one operation of three steps, each of which calls another system. */
final class Workflow implements AutoCloseable {

    static final List<String> STEPS = List.of("charge_card", "create_account", "send_mail");

    /** Attempts are kept at points on the threads of the engine, which must not give up meanwhile. */
    private static final Duration STORE_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofSeconds(6);

    /** What is done about a step whose attempt vanished inside of it. */
    enum Treatment {
        RETRY,
        CHECK,
        HOLD
    }

    private final JsonOutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(1_000);

    private final IdempotentSteps steps;

    private final StepObserver observer;

    private final OpenStore store;

    private final RestClient systems;

    private final IdempotencyTemplate engine;

    Workflow(WorkflowPlaces places, StepObserver observer) {
        this.observer = observer;
        this.systems = RestClient.builder()
                .baseUrl(places.systems())
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new IdempotencyKeyInterceptor())
                .build();
        this.store = places.records().open(STORE_TIMEOUT);
        this.engine = new IdempotencyTemplate(
                ObservedSteps.of(store.store(), observer),
                codecs,
                new EngineSettings("faults", STORE_TIMEOUT, 256),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
        this.steps = JournaledSteps.recorded(codecs, () -> engine);
    }

    /**
     * Runs the steps, or replays.
     *
     * @param maxWait how long to wait for another execution
     * @return the answers of the other systems
     */
    IdempotentResult<String> run(WorkflowCall call, Duration maxWait) {
        return engine.operation("workflow")
                .key(call.key())
                .policy(standard -> standard.withLease(LEASE).withMaxWait(maxWait))
                .execute(
                        String.class,
                        () -> STEPS.stream().map(step -> step(call, step)).collect(Collectors.joining(" ")));
    }

    private String step(WorkflowCall call, String name) {
        Identity operation = call.identity();
        StepWork<String, RuntimeException> work = step -> {
            observer.reached(operation, name, StepPoint.BEFORE_CALL);
            String answer = post(call.key(), name);
            observer.reached(operation, name, StepPoint.AFTER_CALL);
            return answer;
        };
        IdempotentSteps.StepSpec step = steps.step(name);
        String result = switch (call.treatment()) {
            case RETRY -> step.run(String.class, work);
            case CHECK -> step.runChecked(String.class, running -> lookUp(call.key(), running), work);
            case HOLD -> step.onAbandoned(OnAbandoned.HOLD).run(String.class, work);
        };
        observer.reached(operation, name, StepPoint.AFTER_STEP);
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
        engine.close();
        store.close();
    }
}
