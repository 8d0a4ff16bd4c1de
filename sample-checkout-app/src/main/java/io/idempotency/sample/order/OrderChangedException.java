package io.idempotency.sample.order;

/** An order was sent again, and is not what it was. */
public final class OrderChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public OrderChangedException(Throwable mismatch) {
        super("The order was sent before with other content", mismatch);
    }
}
