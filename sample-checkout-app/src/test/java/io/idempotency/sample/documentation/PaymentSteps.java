package io.idempotency.sample.documentation;

import io.idempotency.annotation.IdempotentStep;
import io.idempotency.sample.documentation.OrderWorkflow.Charge;
import io.idempotency.sample.documentation.OrderWorkflow.Order;
import io.idempotency.sample.documentation.OrderWorkflow.Services;
import io.idempotency.step.StepContext;

/** The examples of the documentation for steps by annotation. */
class PaymentSteps {

    private final Services services;

    PaymentSteps(Services services) {
        this.services = services;
    }

    // snippet:annotation
    @IdempotentStep("charge_card")
    Charge charge(Order order) {
        return services.charge(order, StepContext.current().orElseThrow().key());
    }

    @IdempotentStep(name = "ship_item", item = "#item", fingerprint = "NONE")
    void ship(Order order, String item) {
        services.ship(item, StepContext.current().orElseThrow().key());
    }
    // end:annotation
}
