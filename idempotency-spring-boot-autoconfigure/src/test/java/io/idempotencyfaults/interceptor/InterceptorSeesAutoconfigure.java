package io.idempotencyfaults.interceptor;

import io.idempotencyfaults.autoconfigure.FaultyAutoConfigurations;

public record InterceptorSeesAutoconfigure(FaultyAutoConfigurations target) {}
