package io.idempotency.sample.client;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Passes the settings of the simulated systems on, so that the page has one origin. */
@RestController
@RequestMapping("/api/simulators/settings")
class SettingsController {

    private final RestClient client;

    SettingsController(RestClient client) {
        this.client = client;
    }

    @GetMapping
    ResponseEntity<JsonNode> settings() {
        return client.get().uri("/settings").retrieve().toEntity(JsonNode.class);
    }

    /** Returns those that the simulated systems were started with. */
    @GetMapping("/start")
    ResponseEntity<JsonNode> settingsOfTheStart() {
        return client.get().uri("/settings/start").retrieve().toEntity(JsonNode.class);
    }

    @PutMapping
    ResponseEntity<JsonNode> change(@RequestBody JsonNode settings) {
        return client.put()
                .uri("/settings")
                .contentType(MediaType.APPLICATION_JSON)
                .body(settings)
                .exchange((request, response) -> ResponseEntity.status(response.getStatusCode())
                        .headers(headers ->
                                headers.setContentType(response.getHeaders().getContentType()))
                        .body(response.bodyTo(JsonNode.class)));
    }
}
