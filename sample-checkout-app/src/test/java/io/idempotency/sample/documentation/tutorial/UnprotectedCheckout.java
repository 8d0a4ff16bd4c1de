package io.idempotency.sample.documentation.tutorial;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@TestComponent
@RestController
@RequestMapping("/unprotected")
class UnprotectedCheckout {

    private final OtherSystems systems;

    UnprotectedCheckout(OtherSystems systems) {
        this.systems = systems;
    }

    // snippet:unprotected
    @PostMapping("/checkouts")
    Confirmation checkout(@RequestBody Order order) {
        String chargeId = systems.charge(order);
        String accountId = systems.openAccount(order);
        systems.sendMail(order);
        return new Confirmation(order.id(), chargeId, accountId);
    }
    // end:unprotected
}
