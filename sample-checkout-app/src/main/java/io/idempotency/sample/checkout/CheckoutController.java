package io.idempotency.sample.checkout;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.order.Order;
import io.idempotency.sample.order.OrderChangedException;
import jakarta.validation.Valid;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The checkout of the shop's own page. The page sends one {@code Idempotency-Key} for one press of the button. A customer
 * who presses twice is to get the order and no refusal, so the second request waits for the answer of the first one. The
 * order is paid once for another key as well: the workflow is protected by the order itself.
 */
@RestController
class CheckoutController {

    private final CheckoutWorkflow workflow;

    private final Accounts accounts;

    CheckoutController(CheckoutWorkflow workflow, Accounts accounts) {
        this.workflow = workflow;
        this.accounts = accounts;
    }

    // snippet:checkout
    @PostMapping("/api/checkouts")
    @Idempotent(operation = "checkout", maxWait = "5s")
    ResponseEntity<Checkout> pay(@Valid @RequestBody Order order) {
        Checkout checkout = paid(order);
        return ResponseEntity.created(URI.create("/api/checkouts/" + checkout.orderNumber()))
                .body(checkout);
    }
    // end:checkout

    /** The key of the order is the shop's own: it was not the client who used a key again. */
    private Checkout paid(Order order) {
        try {
            return workflow.pay(order);
        } catch (FingerprintMismatchException mismatch) {
            throw new OrderChangedException(mismatch);
        }
    }

    @GetMapping("/api/checkouts/{orderNumber}")
    Checkout find(@PathVariable String orderNumber) {
        return accounts.find(orderNumber)
                .map(Checkout::of)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}
