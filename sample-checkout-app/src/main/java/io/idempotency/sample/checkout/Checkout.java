package io.idempotency.sample.checkout;

import io.idempotency.sample.account.Account;

/** An order that was paid. */
record Checkout(String orderNumber, String orderId, String chargeId, String accountId) {

    static Checkout of(Account account) {
        return new Checkout(account.orderNumber(), account.orderId(), account.paymentId(), account.id());
    }
}
