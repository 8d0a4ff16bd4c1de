package io.idempotencyfaults.step;

import io.idempotencyfaults.json.JsonSeesCore;

public record StepSeesJson(JsonSeesCore target) {}
