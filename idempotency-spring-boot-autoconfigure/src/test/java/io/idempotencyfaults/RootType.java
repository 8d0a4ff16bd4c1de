package io.idempotencyfaults;

public record RootType() {}
