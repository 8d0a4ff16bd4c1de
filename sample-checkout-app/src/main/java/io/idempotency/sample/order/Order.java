package io.idempotency.sample.order;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/** An order that a customer wants to pay, or has paid. */
public record Order(
        @NotBlank @Size(max = 64) String orderId,
        @NotBlank @Email @Size(max = 254) String email,
        @NotBlank @Size(max = 40) String plan,
        @Positive long amountCents) {}
