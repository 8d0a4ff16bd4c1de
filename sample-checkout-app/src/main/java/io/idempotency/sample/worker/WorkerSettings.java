package io.idempotency.sample.worker;

import io.idempotency.sample.simulator.SimulatorAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * What workers are started with: the settings of this node, so that they use the same store and database, but a slow second
 * step, in which they can be killed, and a short lease, so that nobody waits for long after that.
 */
@Component
class WorkerSettings {

    private final ConfigurableEnvironment environment;

    private final SimulatorAddress simulators;

    WorkerSettings(ConfigurableEnvironment environment, SimulatorAddress simulators) {
        this.environment = environment;
        this.simulators = simulators;
    }

    /** Returns them as Spring Boot takes them from the variable {@code SPRING_APPLICATION_JSON}. */
    String json(int port) {
        Map<String, Object> settings = new TreeMap<>();
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> enumerable
                        ? Stream.of(enumerable.getPropertyNames())
                        : Stream.empty())
                .filter(name -> name.matches("(spring|idempotency|sample)\\..+"))
                .forEach(name -> settings.put(name, environment.getProperty(name)));
        settings.put("server.port", port);
        settings.put("sample.simulators.url", simulators.url());
        settings.put("sample.account.latency", "5m");
        settings.put("idempotency.lease", "10s");
        return JsonMapper.shared().writeValueAsString(settings);
    }
}
