// What can go wrong, one story for each button. A story sends requests by `send`, which notes every answer on the page. What
// is `told` of it at its end is what came of it where the ledger has everything once; what it counts is what was seen.

import { pause, withSettings } from "./shop.js";
import { fate } from "./seen.js";
import { times } from "./text.js";

const STORM = 50;

const PATIENCE = 120_000;

/** The gateway waits for less time than the invoice takes, and sends its event again soon. */
function impatientGateway(realTime) {
  const scale = realTime ? 10 : 1;
  return {
    invoiceLatency: seconds(1.2 * scale),
    webhookTimeout: seconds(scale),
    webhookBackOff: seconds(0.15 * scale),
    webhookAttempts: 5,
  };
}

/** Sends again what is said to be still running, after the time that it is said to take, and not for ever. */
async function persist(send) {
  const deadline = Date.now() + PATIENCE;
  let answer = await send();
  while (answer.status === 409 && answer.retryAfter > 0 && Date.now() < deadline) {
    await pause(1000 * answer.retryAfter);
    answer = await send();
  }
}

function seconds(count) {
  return `PT${count}S`;
}

export const stories = [
  {
    id: "pay",
    title: "Pay",
    plot: "Nothing goes wrong: one press, one order. The gateway then tells the shop of the payment, and the shop makes the invoice.",
    run: ({ send }) => send(),
    told: () => "The order was paid once.",
  },
  {
    id: "double-click",
    title: "Double click",
    plot: "Nothing seems to happen, so you press again. Both presses send the same order with the same key.",
    run: ({ send }) => Promise.all([send(), send()]),
    told: ({ answers }) => `You asked ${times(answers.length)}, and the card was charged once.`,
  },
  {
    id: "gateway",
    title: "Gateway times out and sends again",
    plot: "The invoice takes longer than the gateway waits: 1.2 s against 1 s. It hears nothing, and delivers the same event again.",
    realTime: "In real time: 12 s against 10 s",
    run: ({ send, settled, realTime }) =>
      withSettings(impatientGateway(realTime), async () => {
        await send();
        await settled();
      }),
    told: (shown, { deliveries }) => `The gateway delivered its event ${times(deliveries.count)}, and one invoice was made.`,
  },
  {
    id: "mail",
    title: "Mail fails, retry resumes",
    plot: "The card is charged, then the mail server is down and the checkout fails. You send the order again.",
    run: ({ send }) =>
      withSettings({ mailFailures: 1 }, async () => {
        await send();
        await send();
      }),
    told: ({ answers: [first, second] }) =>
      `The first try ${fate(first.status)}, the second one ${fate(second.status)}, and the card was charged once.`,
  },
  {
    id: "other-amount",
    title: "Same key, other amount",
    plot: "A client has a bug: it sends the key of an order that was paid with another amount.",
    run: async ({ send }) => {
      await send();
      await send({ amountCents: 99 });
    },
    told: ({ answers: [, other] }) => `The other amount ${fate(other.status)}, and the card was charged once.`,
  },
  {
    id: "storm",
    title: "Storm of 50",
    plot: `A client has lost its patience and sends ${STORM} copies of one order, as fast as this browser can.`,
    run: ({ send }) => Promise.all(Array.from({ length: STORM }, () => send())),
    told: ({ answers }) => `The order came ${times(answers.length)}, and the card was charged once.`,
  },
  {
    id: "worker",
    title: "Worker killed mid-way",
    plot: "Another process of the shop begins your order, charges the card, and is killed in its second step. You send the order again. It takes some seconds to start.",
    run: async ({ send, kill }) => {
      await kill();
      await persist(send);
    },
    told: () => "The worker died half-way. Its order was finished here, and the card was charged once.",
  },
];
