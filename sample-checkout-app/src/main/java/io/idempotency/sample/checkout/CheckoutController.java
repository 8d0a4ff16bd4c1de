package io.idempotency.sample.checkout;

import io.idempotency.annotation.Idempotent;
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

/** The checkout of the shop's own page. The page sends one {@code Idempotency-Key} for one press of the button. */
@RestController
class CheckoutController {

    private final Checkouts checkouts;

    CheckoutController(Checkouts checkouts) {
        this.checkouts = checkouts;
    }

    // snippet:checkout
    @PostMapping("/api/checkouts")
    @Idempotent(operation = "checkout")
    ResponseEntity<Checkout> pay(@Valid @RequestBody CheckoutRequest request) {
        Checkout checkout = checkouts.pay(request);
        return ResponseEntity.created(URI.create("/api/checkouts/" + checkout.id()))
                .body(checkout);
    }
    // end:checkout

    @GetMapping("/api/checkouts/{id}")
    Checkout find(@PathVariable String id) {
        return checkouts.find(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}
