package io.idempotency;

import java.util.List;

/** Libraries that an application may lack, and the packages of this one that are made for them. */
enum Technology {
    REDIS(List.of("org.springframework.data..", "io.lettuce..", "redis.clients.."), List.of("store.redis")),
    JDBC(
            List.of(
                    "java.sql..",
                    "javax.sql..",
                    "org.springframework.jdbc..",
                    "org.springframework.boot.jdbc..",
                    "com.zaxxer.."),
            List.of("store.jdbc")),
    SERVLET(List.of("jakarta.servlet..", "org.springframework.web.."), List.of("web", "openapi")),
    OPENAPI(List.of("org.springdoc..", "io.swagger.."), List.of("openapi")),
    HEALTH(List.of("org.springframework.boot.health.."), List.of("actuate")),
    BOOT(
            List.of(
                    "org.springframework.boot",
                    "org.springframework.boot.autoconfigure..",
                    "org.springframework.boot.context.."),
            List.of());

    final List<String> packages;

    final List<String> homes;

    Technology(List<String> packages, List<String> homes) {
        this.packages = packages;
        this.homes = homes;
    }
}
