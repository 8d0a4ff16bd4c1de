package io.idempotency.sample.checkout;

import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.charge.Charges;
import io.idempotency.sample.identifier.Identifiers;
import io.idempotency.sample.lead.Leads;
import io.idempotency.sample.mail.WelcomeMails;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Pays orders: captures the lead, charges the card, opens the account, sends the mail. */
@Service
class Checkouts {

    private final Leads leads;

    private final Charges charges;

    private final Accounts accounts;

    private final WelcomeMails mails;

    private final JdbcClient jdbc;

    Checkouts(Leads leads, Charges charges, Accounts accounts, WelcomeMails mails, JdbcClient jdbc) {
        this.leads = leads;
        this.charges = charges;
        this.accounts = accounts;
        this.mails = mails;
        this.jdbc = jdbc;
    }

    @Transactional
    Checkout pay(CheckoutRequest request) {
        String leadId = leads.captured(request.email());
        String chargeId = charges.charge(request.orderId(), request.amountCents());
        String accountId = accounts.open(request.orderId(), request.email(), request.plan());
        String emailId = mails.send(accountId, request.email());
        Checkout checkout = new Checkout(Identifiers.next("chk"), request.orderId(), chargeId, accountId, emailId);
        jdbc.sql("""
                insert into checkouts (id, order_id, lead_id, charge_id, account_id, email_id)
                values (?, ?, ?, ?, ?, ?)""")
                .params(checkout.id(), checkout.orderId(), leadId, chargeId, accountId, emailId)
                .update();
        return checkout;
    }

    Optional<Checkout> find(String id) {
        return jdbc.sql("select id, order_id, charge_id, account_id, email_id from checkouts where id = ?")
                .param(id)
                .query(Checkout.class)
                .optional();
    }
}
