package io.idempotencyfaults.annotation;

import io.idempotencyfaults.json.JsonSeesStore;

public record AnnotationSeesJson(JsonSeesStore target) {}
