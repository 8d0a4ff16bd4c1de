package io.idempotency.sample.payment;

/** An order cannot be completed, because its payment was given back meanwhile. That is final. */
public final class PaymentRefundedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PaymentRefundedException() {
        super("The payment was given back before its order was complete");
    }
}
