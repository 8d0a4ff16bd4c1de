package io.idempotency.sample.lead;

import io.idempotency.annotation.Idempotent;
import io.idempotency.sample.order.Order;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes the addresses of people who want to hear from the shop. */
@RestController
class LeadController {

    private final Leads leads;

    LeadController(Leads leads) {
        this.leads = leads;
    }

    @PostMapping("/api/leads")
    @ResponseStatus(HttpStatus.CREATED)
    @Idempotent(operation = "lead")
    Lead capture(@Valid @RequestBody Contact contact) {
        return new Lead(leads.capture(contact.email()));
    }

    /** Somebody who wants to hear from the shop. */
    record Contact(
            @NotBlank @Email @Size(max = 254) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
            String email) {}

    /** Somebody whom the shop knows. */
    record Lead(String leadId) {}
}
