package io.idempotency.core;

/**
 * What the steps of all executions of one engine work with.
 *
 * @param store writes the records of steps; its verbs are only called where there is no obstacle
 */
record StepServices(
        StepStore store,
        TransactionalSteps transactional,
        StepObstacles obstacles,
        SurroundingTransaction surrounding,
        LeaseRenewer renewer,
        Listeners listeners) {}
