package io.idempotency.sample.webhook;

import io.idempotency.annotation.Idempotent;
import io.idempotency.sample.account.Account;
import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.invoice.Invoice;
import io.idempotency.sample.invoice.Invoices;
import io.idempotency.sample.invoice.InvoicingService;
import io.idempotency.sample.mail.Mail;
import io.idempotency.sample.mail.Mails;
import io.idempotency.sample.payment.Payments;
import io.idempotency.sample.webhook.PaymentEvent.Purchase;
import io.idempotency.step.IdempotentSteps;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Gives customers what was paid for: an account, an invoice and, unless the checkout sends it, a welcome mail. */
@Service
class Provisioning {

    private final Payments payments;

    private final Accounts accounts;

    private final InvoicingService invoicing;

    private final Invoices invoices;

    private final Mails mails;

    private final IdempotentSteps steps;

    Provisioning(
            Payments payments,
            Accounts accounts,
            InvoicingService invoicing,
            Invoices invoices,
            Mails mails,
            IdempotentSteps steps) {
        this.payments = payments;
        this.accounts = accounts;
        this.invoicing = invoicing;
        this.invoices = invoices;
        this.mails = mails;
        this.steps = steps;
    }

    /** Provisions a payment once, by however many events the gateway tells of it. */
    // snippet:payment
    @Idempotent(
            operation = "provisioning",
            key = "#event.data.payment()",
            fingerprint = "#event.data",
            retention = "30d")
    Provisioned provision(PaymentEvent event) {
        Purchase purchase = event.data();
        Account account = accounts.open(purchase.payment(), purchase.order());
        Invoice invoice = steps.run(
                "issue_invoice", Invoice.class, step -> invoicing.issue(purchase.orderId(), purchase.amountCents()));
        steps.run(
                "file_invoice",
                step -> invoices.file(invoice, event.checkoutEventId(), account, purchase.amountCents()));
        return new Provisioned(purchase.orderId(), invoice.id(), account.id(), welcome(account, purchase));
    }
    // end:payment

    private @Nullable String welcome(Account account, Purchase purchase) {
        // The invoice may take long, and the money may have been given back meanwhile: then the account is closed.
        if (purchase.throughCheckout() || payments.isRefunded(purchase.payment())) {
            return null;
        }
        return steps.step("send_email")
                .runChecked(
                        Mail.class,
                        step -> mails.findWelcome(account),
                        step -> mails.sendWelcome(account, purchase.email()))
                .id();
    }
}
