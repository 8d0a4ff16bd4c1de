package io.idempotency.sample.simulator;

import io.idempotency.sample.identifier.Identifiers;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a mail for each {@code POST /mails}, whatever key comes with it, into a table. The answer takes its time. Those of a
 * reference are listed by {@code GET /mails?reference=}.
 */
final class MailSimulator implements Simulator {

    private final JdbcClient jdbc;

    private final CurrentSettings settings;

    MailSimulator(JdbcClient jdbc, CurrentSettings settings) {
        this.jdbc = jdbc;
        this.settings = settings;
    }

    @Override
    public Reply answer(Call call) throws InterruptedException {
        if (call.method().equals("GET")) {
            return Reply.ok(jdbc.sql("select id from mails where reference = ? order by at")
                    .param(call.query().getOrDefault("reference", ""))
                    .query(Sent.class)
                    .list());
        }
        if (settings.refusesMail()) {
            return Reply.refused(503, "The mail service is not available");
        }
        Mail mail = JsonMapper.shared().treeToValue(call.body(), Mail.class);
        String id = Identifiers.next("eml");
        jdbc.sql("insert into mails (id, order_id, reference, recipient, subject) values (?, ?, ?, ?, ?)")
                .params(id, mail.orderId(), mail.reference(), mail.recipient(), mail.subject())
                .update();
        settings.await(Settings::mailLatency);
        return Reply.ok(new Sent(id));
    }

    /** A mail to be sent. */
    record Mail(String orderId, String reference, String recipient, String subject) {}

    /** A mail that was sent. */
    record Sent(String id) {}
}
