/**
 * The world outside of the shop: a payment gateway, an invoicing service and a mail service, behind real HTTP on a port of
 * their own and with tables of their own. Nothing in here is protected by the starter or knows the shop, which knows
 * nothing of it but {@link io.idempotency.sample.simulator.SimulatorAddress}.
 */
@NullMarked
package io.idempotency.sample.simulator;

import org.jspecify.annotations.NullMarked;
