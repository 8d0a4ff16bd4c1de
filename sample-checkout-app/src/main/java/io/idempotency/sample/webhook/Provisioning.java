package io.idempotency.sample.webhook;

import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.invoice.Invoices;
import io.idempotency.sample.invoice.InvoicingService;
import io.idempotency.sample.mail.WelcomeMails;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Gives a customer what was paid for: an account, an invoice and a welcome mail. */
@Service
class Provisioning {

    private final InvoicingService invoicing;

    private final Accounts accounts;

    private final Invoices invoices;

    private final WelcomeMails mails;

    private final TransactionOperations transaction;

    Provisioning(
            InvoicingService invoicing,
            Accounts accounts,
            Invoices invoices,
            WelcomeMails mails,
            TransactionOperations transaction) {
        this.invoicing = invoicing;
        this.accounts = accounts;
        this.invoices = invoices;
        this.mails = mails;
        this.transaction = transaction;
    }

    /** Provisions all of it or, if anything fails, nothing. */
    Provisioned provision(PaymentEvent event) {
        // The remote service may take its time: no transaction is open, and no connection held, while it does.
        String invoiceId = invoicing.issue();
        return transaction.execute(status -> record(event, invoiceId));
    }

    private Provisioned record(PaymentEvent event, String invoiceId) {
        PaymentEvent.Purchase purchase = event.data();
        String accountId = accounts.open(purchase.orderId(), purchase.email(), purchase.plan());
        invoices.file(invoiceId, event.checkoutEventId(), accountId, purchase.amountCents());
        String emailId = mails.send(accountId, purchase.email());
        return new Provisioned(purchase.orderId(), invoiceId, accountId, emailId);
    }
}
