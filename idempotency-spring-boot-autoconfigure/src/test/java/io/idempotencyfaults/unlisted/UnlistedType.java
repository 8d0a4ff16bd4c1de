package io.idempotencyfaults.unlisted;

import org.springframework.boot.autoconfigure.AutoConfiguration;

public record UnlistedType() {

    @AutoConfiguration
    public static final class StrayAutoConfiguration {}
}
