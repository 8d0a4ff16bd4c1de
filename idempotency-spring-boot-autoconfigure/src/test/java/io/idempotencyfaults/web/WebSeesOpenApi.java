package io.idempotencyfaults.web;

import io.swagger.v3.oas.models.OpenAPI;

public record WebSeesOpenApi(OpenAPI target) {}
