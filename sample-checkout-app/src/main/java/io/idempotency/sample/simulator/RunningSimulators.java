package io.idempotency.sample.simulator;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Finds simulated systems that another process has started. */
final class RunningSimulators {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private RunningSimulators() {}

    /** Returns where they answer, if it is they who answer on a port of this machine; 0 is no port. */
    static Optional<URI> on(int port) {
        if (port == 0) {
            return Optional.empty();
        }
        URI url = URI.create("http://localhost:" + port);
        return HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .build()
                .sendAsync(
                        HttpRequest.newBuilder(url.resolve("/settings"))
                                .timeout(PATIENCE)
                                .build(),
                        BodyHandlers.ofString())
                .handle((response, failure) ->
                        failure == null && isSettings(response) ? Optional.of(url) : Optional.<URI>empty())
                .join();
    }

    private static boolean isSettings(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            return false;
        }
        try {
            SettingsDocument document = new SettingsDocument(JsonMapper.shared().readTree(response.body()));
            document.read();
            return document.errors().isEmpty();
        } catch (JacksonException somethingElse) {
            return false;
        }
    }
}
