package io.idempotencyfaults.json;

import io.idempotencyfaults.core.CoreSeesRedis;

public record JsonSeesCore(CoreSeesRedis target) {}
