package io.idempotency.sample.simulator;

/** A simulated system. */
@FunctionalInterface
interface Simulator {

    Reply answer(Call call) throws InterruptedException;
}
