package io.idempotency.sample.documentation.tutorial;

import io.idempotency.annotation.Idempotent;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@TestComponent
@RestController
@RequestMapping("/idempotent")
class IdempotentCheckout {

    private final OtherSystems systems;

    IdempotentCheckout(OtherSystems systems) {
        this.systems = systems;
    }

    // snippet:idempotent
    @PostMapping("/checkouts")
    @Idempotent(operation = "checkout")
    Confirmation checkout(@RequestBody Order order) {
        String chargeId = systems.charge(order);
        String accountId = systems.openAccount(order);
        systems.sendMail(order);
        return new Confirmation(order.id(), chargeId, accountId);
    }
    // end:idempotent
}
