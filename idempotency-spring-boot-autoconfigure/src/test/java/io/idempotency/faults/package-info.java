/**
 * What the stores promise, under faults of real servers, networks and processes: replies that are lost, connections that
 * are cut, servers that stop, JVMs that are killed. The short form is part of every build; what carries the tag
 * {@code faults-long} is run by the Maven profile {@code faults}.
 */
@NullMarked
package io.idempotency.faults;

import org.jspecify.annotations.NullMarked;
