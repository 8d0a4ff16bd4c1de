package io.idempotencyfaults.store.memory;

import io.idempotencyfaults.interceptor.InterceptorSeesServlet;

public record MemorySeesInterceptor(InterceptorSeesServlet target) {}
