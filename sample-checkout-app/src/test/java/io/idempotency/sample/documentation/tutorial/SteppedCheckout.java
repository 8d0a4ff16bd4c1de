package io.idempotency.sample.documentation.tutorial;

import io.idempotency.annotation.Idempotent;
import io.idempotency.step.IdempotentSteps;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@TestComponent
@RestController
@RequestMapping("/stepped")
class SteppedCheckout {

    private final IdempotentSteps steps;

    private final OtherSystems systems;

    SteppedCheckout(IdempotentSteps steps, OtherSystems systems) {
        this.steps = steps;
        this.systems = systems;
    }

    // snippet:stepped
    @PostMapping("/checkouts")
    @Idempotent(operation = "checkout", maxWait = "10s")
    Confirmation checkout(@RequestBody Order order) {
        String chargeId = steps.run("charge_card", String.class, step -> systems.charge(order, step.key()));
        String accountId = steps.run("open_account", String.class, step -> systems.openAccount(order));
        steps.run("send_mail", step -> systems.sendMail(order));
        return new Confirmation(order.id(), chargeId, accountId);
    }
    // end:stepped
}
