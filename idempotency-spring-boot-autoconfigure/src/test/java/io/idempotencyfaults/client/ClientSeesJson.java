package io.idempotencyfaults.client;

import io.idempotencyfaults.json.JsonSeesCore;

public record ClientSeesJson(JsonSeesCore target) {}
