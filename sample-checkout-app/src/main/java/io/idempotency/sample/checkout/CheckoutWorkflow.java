package io.idempotency.sample.checkout;

import io.idempotency.annotation.Idempotent;
import io.idempotency.sample.account.Account;
import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.lead.Leads;
import io.idempotency.sample.mail.Mail;
import io.idempotency.sample.mail.Mails;
import io.idempotency.sample.order.Order;
import io.idempotency.sample.payment.Charge;
import io.idempotency.sample.payment.PaymentGateway;
import io.idempotency.sample.payment.PaymentRefundedException;
import io.idempotency.sample.payment.Payments;
import io.idempotency.step.IdempotentSteps;
import org.springframework.stereotype.Service;

/** Pays orders: charges the card, opens the account, sends the mail. A retry does what was not done. */
@Service
class CheckoutWorkflow {

    private final Leads leads;

    private final PaymentGateway gateway;

    private final Payments payments;

    private final Accounts accounts;

    private final Mails mails;

    private final IdempotentSteps steps;

    CheckoutWorkflow(
            Leads leads,
            PaymentGateway gateway,
            Payments payments,
            Accounts accounts,
            Mails mails,
            IdempotentSteps steps) {
        this.leads = leads;
        this.gateway = gateway;
        this.payments = payments;
        this.accounts = accounts;
        this.mails = mails;
        this.steps = steps;
    }

    /**
     * Pays an order once, by however many keys its page asks for it.
     *
     * @throws PaymentRefundedException if the money was given back before the customer was told of the account, which is
     *     closed then
     */
    // snippet:workflow
    @Idempotent(operation = "order", key = "#order.orderId()", maxWait = "5s", retention = "30d")
    Checkout pay(Order order) {
        leads.captured(order.email());
        Charge charge = steps.run("charge_card", Charge.class, step -> gateway.charge(order));
        Account account = steps.run("create_account", Account.class, step -> accounts.open(charge.id(), order));
        payments.requireNotRefunded(charge.id());
        steps.step("send_email")
                .runChecked(
                        Mail.class,
                        step -> mails.findWelcome(account),
                        step -> mails.sendWelcome(account, order.email()));
        return Checkout.of(account);
    }
    // end:workflow
}
