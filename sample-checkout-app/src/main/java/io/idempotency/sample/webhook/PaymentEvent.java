package io.idempotency.sample.webhook;

import io.idempotency.sample.order.Order;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event of the payment gateway. Source, id and type together say which one it is, in however many deliveries it
 * comes.
 *
 * @param occurredAt when it happened at the gateway, which is not when it is delivered
 */
record PaymentEvent(
        @NotBlank @Size(max = 64) @Pattern(regexp = "[^:]*") @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String source,

        @NotBlank @Size(max = 128) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String id,

        @NotBlank @Size(max = 64) @Pattern(regexp = "[^:]*") @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
        String type,

        @NotNull Instant occurredAt,
        @NotNull @Valid Purchase data) {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    /** Takes the years that are written with four digits; what is missing is named by validation. */
    PaymentEvent {
        if (occurredAt != null && (occurredAt.isBefore(FIRST) || occurredAt.isAfter(LAST))) {
            throw new IllegalArgumentException("occurredAt must be in the years 1 to 9999");
        }
    }

    /** Names the event in the shop's own tables. Source and type hold no colon, so two events never share a name. */
    String checkoutEventId() {
        return source + ":" + type + ":" + id;
    }

    /**
     * What was bought, and by whom.
     *
     * @param paymentId the gateway's name of a charge that the shop made; {@code null} where the customer paid on the
     *     gateway's own page
     */
    record Purchase(
            @Nullable @Size(max = 64) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
            String paymentId,

            @NotBlank @Size(max = 64) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
            String orderId,

            @NotBlank @Email @Size(max = 254) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
            String email,

            @NotBlank @Size(max = 40) @Pattern(regexp = Order.TEXT, message = Order.NO_TEXT)
            String plan,

            @Positive @Max(Order.MOST_CENTS) long amountCents) {

        /** Names the payment in the shop's own tables. The gateway's own page takes one payment for an order. */
        public String payment() {
            return paymentId == null ? orderId : paymentId;
        }

        /** Says whether the customer has gone through the shop's checkout, which opens the account and sends the mail. */
        boolean throughCheckout() {
            return paymentId != null;
        }

        Order order() {
            return new Order(orderId, email, plan, amountCents);
        }
    }
}
