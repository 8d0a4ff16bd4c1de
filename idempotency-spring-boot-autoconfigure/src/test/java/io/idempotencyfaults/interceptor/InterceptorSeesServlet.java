package io.idempotencyfaults.interceptor;

import jakarta.servlet.http.HttpServletRequest;

public record InterceptorSeesServlet(HttpServletRequest target) {}
