package io.idempotency.sample.simulator;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to a simulated system.
 *
 * @param idempotencyKey the header of that name; {@code null} without one
 * @param query the decoded parameters of the query
 * @param body the JSON body; missing without one
 */
record Call(String method, @Nullable String idempotencyKey, Map<String, String> query, JsonNode body) {}
