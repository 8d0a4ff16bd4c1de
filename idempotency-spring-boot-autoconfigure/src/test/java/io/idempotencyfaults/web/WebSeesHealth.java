package io.idempotencyfaults.web;

import org.springframework.boot.health.contributor.Health;

public record WebSeesHealth(Health target) {}
