package io.idempotencyfaults.web;

import org.springframework.boot.SpringApplication;

public record WebSeesBoot(SpringApplication target) {}
