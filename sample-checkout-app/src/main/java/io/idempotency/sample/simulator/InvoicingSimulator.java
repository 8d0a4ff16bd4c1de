package io.idempotency.sample.simulator;

import io.idempotency.sample.simulator.KeyedTable.Made;

/** Makes invoices at {@code POST /invoices}, once for each key. The answer takes its time. */
final class InvoicingSimulator implements Simulator {

    private final KeyedTable invoices;

    private final CurrentSettings settings;

    InvoicingSimulator(KeyedTable invoices, CurrentSettings settings) {
        this.invoices = invoices;
        this.settings = settings;
    }

    @Override
    public Reply answer(Call call) throws InterruptedException {
        String orderId = call.body().required("orderId").asString();
        long amountCents = call.body().required("amountCents").asLong();
        Made invoice = invoices.make(call.idempotencyKey(), orderId, amountCents);
        if (!invoice.row().isFor(orderId, amountCents)) {
            return Reply.refused(422, "The key was used for another invoice");
        }
        settings.await(Settings::invoiceLatency);
        return Reply.ok(invoice.row());
    }
}
