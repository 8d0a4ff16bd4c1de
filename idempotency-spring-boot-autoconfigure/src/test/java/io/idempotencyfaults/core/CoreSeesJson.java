package io.idempotencyfaults.core;

import io.idempotencyfaults.json.JsonSeesCore;

public record CoreSeesJson(JsonSeesCore target) {}
