// Shows the ledger, and what was sent and answered.

import { counts, deliveryText, fate, grouped, inOrder, workerText } from "./seen.js";
import { element, money, parent, times } from "./text.js";

/** From here on it is told how often, and not one by one. */
const MANY = 9;

/** Shows what was done for the order, or for all where there is none yet. */
export function showLedger(ledger, order) {
  document.getElementById("ledger-scope").textContent = order
    ? `What the gateway, the shop, the invoicing and the mail service did for ${order.orderId}.`
    : "Of all orders so far.";
  document.getElementById("tiles").replaceChildren(...tiles(counts(ledger), Boolean(order)));
  document.getElementById("rows-heading").textContent = isBounded(ledger) ? "The rows: the newest of each kind" : "The rows";
  document.getElementById("rows").replaceChildren(...rows(ledger).map(row));
}

function tiles(count, one) {
  return [
    tile("charges", "Card charged", count.charges, one, money(count.cents)),
    tile("accounts", "Accounts opened", count.accounts, one),
    tile("invoices", "Invoices made", count.invoices, one),
    tile("mails", "Mails sent", count.mails, one),
  ];
}

function tile(id, label, count, one, detail) {
  const mood = !one || count === 0 ? "" : count === 1 ? "good" : "bad";
  const made = parent(
    "li",
    `tile ${mood}`,
    element("span", label, "label"),
    element("strong", String(count)),
    element("span", [one ? times(count) : "in all", one || count === 0 ? detail : undefined].filter(Boolean).join(", "), "detail"),
  );
  made.id = id;
  made.dataset.count = count;
  return made;
}

/** Says whether there are more rows than are listed. What is counted is always all of them. */
function isBounded({ shop, simulators }) {
  return [shop.accounts, simulators.charges, simulators.invoices, simulators.mails]
    .some(({ count, newest }) => count > newest.length);
}

function rows(ledger) {
  const { charges, invoices, mails } = ledger.simulators;
  return [
    ...charges.newest.map((charge) => ["Charge", charge.id, money(charge.amountCents), charge.at]),
    ...ledger.shop.accounts.newest.map((account) => ["Account", account.orderNumber, "", account.openedAt]),
    ...invoices.newest.map((invoice) => ["Invoice", invoice.id, money(invoice.amountCents), invoice.at]),
    ...mails.newest.map((mail) => ["Mail", mail.recipient, "", mail.at]),
  ];
}

function row([what, name, amount, at]) {
  return parent("tr", undefined, element("td", what), element("td", name), element("td", amount),
    element("td", new Date(at).toLocaleTimeString()));
}

/** Shows the requests of this page, and the deliveries that the ledger of an order tells of. */
export function showSent({ answers, worker }, ledger) {
  const sent = answers.length >= MANY ? summarized(answers.map(shortAnswer), "sent the order") : answers.map(sentence);
  const deliveries = ledger ? inOrder(ledger) : [];
  const delivered = deliveries.length >= MANY
    ? summarized(deliveries.map(({ answer }) => deliveryText(answer)), "delivered an event")
    : deliveries.map(delivery);
  document.getElementById("sent").replaceChildren(
    ...(worker ? [message("worker", "Worker", workerText(worker))] : []),
    ...sent.map((text) => message("you", "You", text)),
    ...delivered.map((text) => message("gateway", "Gateway", text)),
  );
}

function message(className, sender, text) {
  return parent("li", className, element("b", sender), element("span", text));
}

function delivery({ attempt, answer }) {
  return `delivered its event, attempt ${attempt}: ${deliveryText(answer)}`;
}

function sentence(call) {
  const asked = call.changes ? `another amount, ${money(call.changes.amountCents)}, with the same key` : "the order";
  return `sent ${asked}: ${answerOf(call)}`;
}

function answerOf(call) {
  if (!call.status) {
    return "no answer yet";
  }
  return [shortAnswer(call), call.orderNumber && `order ${short(call.orderNumber)}`, `after ${call.millis} ms`]
    .filter(Boolean).join(", ");
}

function short(name) {
  return name.slice(0, 12);
}

function shortAnswer({ status, problem, replayed }) {
  if (!status) {
    return "no answer yet";
  }
  return [replayed ? `${status} from the record` : `${status} ${fate(status)}`, problem].filter(Boolean).join(", ");
}

function summarized(texts, deed) {
  return grouped(texts).map(([text, count]) => `${deed} ${times(count)}: ${text}`);
}
