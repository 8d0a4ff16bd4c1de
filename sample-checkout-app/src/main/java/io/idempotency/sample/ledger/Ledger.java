package io.idempotency.sample.ledger;

import tools.jackson.databind.JsonNode;

/**
 * What was done, and how often: for one order, or for all. It survives a restart, but for executions, replays and conflicts,
 * which are those of this node since its start, whatever the order.
 *
 * @param charges how often money was taken, as the gateway says
 * @param accounts accounts that were opened
 * @param invoices invoices that the shop filed
 * @param emails mails that were sent, as the mail service says
 * @param executions calls of protected operations that were executed; an operation that another one calls is part of it
 * @param replays calls that were answered from a recorded outcome
 * @param conflicts calls that were refused, because the operation was in progress or the key was used for something else
 * @param shop what is in the shop's tables
 * @param simulators what the gateway, the invoicing and the mail service did
 */
record Ledger(
        long charges,
        long accounts,
        long invoices,
        long emails,
        long executions,
        long replays,
        long conflicts,
        ShopLedger shop,
        JsonNode simulators) {}
