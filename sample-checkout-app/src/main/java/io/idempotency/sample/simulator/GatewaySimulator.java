package io.idempotency.sample.simulator;

import io.idempotency.sample.simulator.KeyedTable.Made;
import tools.jackson.databind.json.JsonMapper;

/** Charges cards at {@code POST /charges}, once for each key, and tells the shop by a webhook. */
final class GatewaySimulator implements Simulator {

    private final KeyedTable charges;

    private final WebhookSender webhooks;

    private final CurrentSettings settings;

    GatewaySimulator(KeyedTable charges, WebhookSender webhooks, CurrentSettings settings) {
        this.charges = charges;
        this.webhooks = webhooks;
        this.settings = settings;
    }

    @Override
    public Reply answer(Call call) {
        PaymentOrder order = JsonMapper.shared().treeToValue(call.body(), PaymentOrder.class);
        Made charge = charges.make(call.idempotencyKey(), order.orderId(), order.amountCents());
        if (!charge.row().isFor(order.orderId(), order.amountCents())) {
            return Reply.refused(422, "The key was used for another charge");
        }
        if (charge.now()) {
            webhooks.send(WebhookEvent.paymentSucceeded(charge.row().id(), order));
        }
        return settings.losesReply() ? Reply.LOST : Reply.ok(charge.row());
    }

    /** What is to be paid. */
    record PaymentOrder(String orderId, String email, String plan, long amountCents) {}
}
