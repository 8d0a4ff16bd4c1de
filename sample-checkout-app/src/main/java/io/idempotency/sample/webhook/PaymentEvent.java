package io.idempotency.sample.webhook;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * An event of the payment gateway. Source, id and type together say which one it is, in however many deliveries it
 * comes.
 */
record PaymentEvent(
        @NotBlank @Size(max = 64) @Pattern(regexp = "[^:]*") String source,
        @NotBlank @Size(max = 128) String id,
        @NotBlank @Size(max = 64) @Pattern(regexp = "[^:]*") String type,
        @NotNull @Valid Purchase data) {

    static final String CHECKOUT_COMPLETED = "checkout.completed";

    /** Names the event in the shop's own tables. Source and type hold no colon, so two events never share a name. */
    String checkoutEventId() {
        return source + ":" + type + ":" + id;
    }

    /** What was bought, and by whom. */
    record Purchase(
            @NotBlank @Size(max = 64) String orderId,
            @NotBlank @Email @Size(max = 254) String email,
            @NotBlank @Size(max = 40) String plan,
            @Positive long amountCents) {}
}
