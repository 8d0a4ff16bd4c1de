package io.idempotency.sample.payment;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The last that the gateway told of each payment. */
@Repository
public class Payments {

    public static final String PAID = "paid";

    /** The end of a payment. */
    public static final String REFUNDED = "refunded";

    private final JdbcClient jdbc;

    Payments(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Notes what an event tells, unless a later one was noted: events come in any order. A refund always counts, and nothing
     * counts after it, whatever the times say. The same one may be noted again.
     *
     * @param at when it happened at the gateway
     * @return whether it counts
     */
    public boolean advance(String paymentId, String status, Instant at) {
        // Rounded up by the database, the time would make the same event an older one when it comes again.
        Instant kept = at.truncatedTo(ChronoUnit.MICROS);
        try {
            return update(paymentId, status, kept) || insert(paymentId, status, kept);
        } catch (DuplicateKeyException known) {
            return update(paymentId, status, kept);
        }
    }

    /** Says whether the gateway has told that a payment was given back. */
    public boolean isRefunded(String paymentId) {
        return jdbc.sql("select count(*) from payments where id = ? and status = ?")
                        .params(paymentId, REFUNDED)
                        .query(Long.class)
                        .single()
                > 0;
    }

    /**
     * Goes on only with a payment that was not given back.
     *
     * @throws PaymentRefundedException if it was
     */
    public void requireNotRefunded(String paymentId) {
        if (isRefunded(paymentId)) {
            throw new PaymentRefundedException();
        }
    }

    private boolean update(String paymentId, String status, Instant at) {
        return jdbc.sql("""
                        update payments set status = :status, changed_at = :at
                        where id = :id and (:status = :refunded or (status <> :refunded and changed_at <= :at))""")
                        .param("status", status)
                        .param("at", at.atOffset(ZoneOffset.UTC))
                        .param("id", paymentId)
                        .param("refunded", REFUNDED)
                        .update()
                == 1;
    }

    private boolean insert(String paymentId, String status, Instant at) {
        return jdbc.sql("insert into payments (id, status, changed_at) values (?, ?, ?)")
                        .params(paymentId, status, at.atOffset(ZoneOffset.UTC))
                        .update()
                == 1;
    }
}
