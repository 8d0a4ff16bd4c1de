package io.idempotency.sample.ledger;

/**
 * What was done, and how often.
 *
 * @param charges rows of the table, as are accounts, invoices and emails; they survive a restart
 * @param executions executions of protected operations since the start of this application
 * @param replays calls since the start that were answered from a recorded outcome
 * @param conflicts calls since the start that were refused, because the operation was in progress or the key was used for
 *     something else
 */
record Ledger(long charges, long accounts, long invoices, long emails, long executions, long replays, long conflicts) {}
