/** The HTTP door, mostly over real HTTP on Tomcat: {@link io.idempotency.web.WebApplication} starts it. */
@NullMarked
package io.idempotency.web;

import org.jspecify.annotations.NullMarked;
