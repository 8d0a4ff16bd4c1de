package io.idempotency.sample.order;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/** An order that a customer wants to pay, or has paid. */
public record Order(
        @NotBlank @Size(max = 64) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String orderId,

        @NotBlank @Email @Size(max = 254) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String email,

        @NotBlank @Size(max = 40) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String plan,

        @Positive @Max(Order.MOST_CENTS) long amountCents) {

    /** What keys and every database take. */
    public static final String TEXT = "[^\\p{Cc}\\p{Cs}]*";

    public static final String NO_TEXT = "must have no control characters";

    /** A million: nobody orders more by accident, and the sum of many still is a number. */
    public static final long MOST_CENTS = 100_000_000;
}
