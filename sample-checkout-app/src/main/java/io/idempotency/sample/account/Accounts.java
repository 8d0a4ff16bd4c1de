package io.idempotency.sample.account;

import io.idempotency.sample.identifier.Identifiers;
import io.idempotency.sample.order.Order;
import io.idempotency.sample.payment.Payments;
import java.time.Duration;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The accounts of customers, one for each payment. */
@Repository
public class Accounts {

    private static final String ACCOUNT = "select id, order_number, order_id, payment_id from accounts ";

    private final JdbcClient jdbc;

    private final Duration latency;

    Accounts(JdbcClient jdbc, AccountProperties properties) {
        this.jdbc = jdbc;
        this.latency = properties.latency();
    }

    /** Opens the account of a payment, or finds the one that was opened for it. That of a refunded payment is closed. */
    public Account open(String paymentId, Order order) {
        Account account = findByPayment(paymentId).orElseGet(() -> insert(paymentId, order));
        // After the insert: a refund that comes later finds the account, and one that came earlier is found here.
        closeIfRefunded(paymentId);
        try {
            Thread.sleep(latency.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while an account was opened", interrupted);
        }
        return account;
    }

    public Optional<Account> find(String orderNumber) {
        return jdbc.sql(ACCOUNT + "where order_number = ?")
                .param(orderNumber)
                .query(Account.class)
                .optional();
    }

    /** Counts the accounts that were opened for an order: one for each payment. */
    public long count(String orderId) {
        return jdbc.sql("select count(*) from accounts where order_id = ?")
                .param(orderId)
                .query(Long.class)
                .single();
    }

    /** Closes the account of a payment that was given back, if it was opened. */
    public void close(String paymentId) {
        jdbc.sql("update accounts set closed_at = current_timestamp where payment_id = ? and closed_at is null")
                .param(paymentId)
                .update();
    }

    private void closeIfRefunded(String paymentId) {
        jdbc.sql("""
                update accounts set closed_at = current_timestamp where payment_id = :id and closed_at is null
                and exists (select 1 from payments where payments.id = :id and status = :refunded)""")
                .param("id", paymentId)
                .param("refunded", Payments.REFUNDED)
                .update();
    }

    private Optional<Account> findByPayment(String paymentId) {
        return jdbc.sql(ACCOUNT + "where payment_id = ?")
                .param(paymentId)
                .query(Account.class)
                .optional();
    }

    private Account insert(String paymentId, Order order) {
        Account account = new Account(Identifiers.next("acc"), Identifiers.next("ord"), order.orderId(), paymentId);
        try {
            jdbc.sql("""
                    insert into accounts (id, order_number, order_id, payment_id, email, plan)
                    values (?, ?, ?, ?, ?, ?)""")
                    .params(
                            account.id(),
                            account.orderNumber(),
                            account.orderId(),
                            account.paymentId(),
                            order.email(),
                            order.plan())
                    .update();
            return account;
        } catch (DuplicateKeyException opened) {
            // The checkout and the webhook of one payment came at the same moment.
            return findByPayment(paymentId).orElseThrow(() -> opened);
        }
    }
}
