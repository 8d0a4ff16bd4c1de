// Says in plain sentences what was seen. Every number in them is counted, in the answers or in the ledger.

import { counted, money, times } from "./text.js";

/** What the ledger counts of one order, and of many where it is read for all. */
export function counts(ledger) {
  const charges = ledger.simulators.charges;
  return {
    charges: charges.count,
    cents: charges.amountCents,
    accounts: ledger.accounts,
    invoices: ledger.simulators.invoices.count,
    filed: ledger.invoices,
    mails: ledger.emails,
  };
}

/** Says whether all is well with an order, as the ledger and the answers tell. */
export function verdict(ledger, { order, answers }) {
  const { charges, cents, accounts, invoices, filed, mails } = counts(ledger);
  const taken = ledger.simulators.deliveries.newest.some(({ answer }) => answer.startsWith("2"));
  const answered = answers.some(({ orderNumber, changes }) => orderNumber && !changes);
  const once = [charges, accounts, invoices, filed, mails].every((count) => count === 1);
  if (once && cents !== order.amountCents) {
    return { good: false, text: `An order of ${money(order.amountCents)} was charged with ${money(cents)}.` };
  }
  if (once && taken && answered) {
    return { good: true, text: "Everything was done, and done once." };
  }
  const often = [
    [charges, "charged"],
    [accounts, "given an account"],
    [invoices, "invoiced"],
    [mails, "mailed"],
  ].filter(([count]) => count > 1);
  return often.length
    ? { good: false, text: `One order was ${often.map(([count, what]) => `${what} ${times(count)}`).join(", ")}.` }
    : { good: false, text: "The order is not complete." };
}

export function sentences(ledger, { answers, worker }) {
  return [
    ...(worker ? [`The worker ${workerText(worker)}.`] : []),
    aboutAnswers(answers),
    aboutMoney(ledger),
    aboutThings(ledger),
    ...aboutDeliveries(ledger),
  ];
}

export function workerText({ pid, exitValue, step }) {
  return pid ? `began the order in process ${pid} and was killed in ${step} (exit value ${exitValue})` : "is starting";
}

function aboutAnswers(answers) {
  const got = grouped(answers.map(answerText)).map(([text, count]) => `${count} ${text}`);
  const succeeded = answers.filter((answer) => answer.orderNumber);
  const numbers = new Set(succeeded.map((answer) => answer.orderNumber)).size;
  const same = numbers === 1 ? "name the same order" : `name ${numbers} different orders`;
  const comparison = succeeded.length > 1 ? ` The ${succeeded.length} that succeeded ${same}.` : "";
  return `You sent ${counted(answers.length, "request")}: ${got.join(", ")}.${comparison}`;
}

function answerText({ status, problem, replayed }) {
  if (problem) {
    return `${fate(status)} (${status}, “${problem}”)`;
  }
  return replayed ? `got the recorded answer (${status}), and nothing ran` : `${fate(status)} (${status})`;
}

/** Says in a word what a status means for the order. */
export function fate(status) {
  if (status < 400) {
    return "succeeded";
  }
  return status < 500 ? "was refused" : "failed";
}

function aboutMoney(ledger) {
  const { charges, cents } = counts(ledger);
  return `The card was charged ${times(charges)}: ${money(cents)}.`;
}

function aboutThings(ledger) {
  const { accounts, invoices, filed, mails } = counts(ledger);
  const rejected = invoices > filed ? `, of which the shop's own table took ${filed}` : "";
  return `The customer has ${counted(accounts, "account")}, ${counted(invoices, "invoice")}${rejected}, and got ${counted(mails, "mail")}.`;
}

function aboutDeliveries(ledger) {
  const deliveries = inOrder(ledger);
  if (deliveries.length === 0) {
    return [];
  }
  const answers = grouped(deliveries.map((delivery) => deliveryText(delivery.answer))).map(([text, count]) =>
    count === 1 ? text : `${text} (${count} times)`);
  const events = new Set(deliveries.map((delivery) => delivery.eventId)).size;
  return [`The gateway made ${counted(deliveries.length, "delivery", "deliveries")} of ${counted(events, "event")}: ${answers.join("; ")}.`];
}

export function deliveryText(answer) {
  if (answer === "timeout") {
    return "no answer in time";
  }
  if (answer === "409") {
    return `${answer}, come back later`;
  }
  return answer.startsWith("2") ? `${answer}, taken` : `${answer}, not taken`;
}

/** The deliveries of the gateway, the oldest first. */
export function inOrder(ledger) {
  return [...ledger.simulators.deliveries.newest].reverse();
}

/** Counts equal values, in the order in which they first come. */
export function grouped(values) {
  const groups = new Map();
  values.forEach((value) => groups.set(value, (groups.get(value) ?? 0) + 1));
  return [...groups];
}
