// The page: a button for each story, and what is seen of it.

import { killWorker, newOrder, pause, pay, readLedger, readSettings, readTimeline, unique } from "./shop.js";
import { stories } from "./stories.js";
import { sentences, verdict } from "./seen.js";
import { showLedger, showSent } from "./ledger.js";
import { showTimeline } from "./timeline.js";
import { lookAtSettings } from "./settings.js";
import { element, parent, say } from "./text.js";

const CALM = 1000;

const BUSY = 200;

const PATIENCE = 120_000;

/** More of what happened is shown to nobody; the oldest goes first. */
const MOST_ENTRIES = 500;

const page = Object.fromEntries(
  ["protection", "stories", "verdict", "seen", "timeline"].map((id) => [id, document.getElementById(id)]),
);

/** What is shown: of the running story, or of the last one. */
let shown = { order: undefined, answers: [], entries: [] };

let running = false;

let last = 0;

let looking = Promise.resolve();

/** What is on the page is left alone while there is nothing new, for those who read, select or listen. */
let seenLast;

async function play(story) {
  if (running) {
    return;
  }
  running = true;
  const order = newOrder();
  const key = unique("press");
  tell("running", `${story.title}: ${story.plot}`);
  page.seen.replaceChildren();
  page.verdict.scrollIntoView({ block: "nearest" });
  mark(story.id);
  await begin(order);
  const send = async (changes) => noted(pay(key, { ...order, ...changes }), changes);
  const kill = async () => {
    shown.worker = {};
    shown.worker = await killWorker(key, order);
  };
  let end;
  const settled = () => (end ??= settle(order.orderId));
  try {
    await story.run({ send, settled, kill, realTime: document.getElementById("real-time").checked });
    const ledger = await settled();
    await look();
    shown.ended = true;
    const { good, text } = verdict(ledger, shown);
    const outcome = good ? `${story.told(shown, ledger.simulators)} ${text}` : text;
    tell(good ? "good" : "bad", `${story.title}. ${outcome}`);
    page.seen.replaceChildren(...sentences(ledger, shown).map((sentence) => element("li", sentence)));
  } catch (failure) {
    tell("bad", `${story.title}. The story broke off: ${failure.message}`);
  } finally {
    shown.ended = true;
    running = false;
    mark();
  }
}

/** Notes an answer with what was asked for, in the order of asking. */
async function noted(answering, changes) {
  const call = { changes };
  shown.answers.push(call);
  const start = performance.now();
  Object.assign(call, await answering, { millis: Math.round(performance.now() - start) });
  return call;
}

/** Waits until the gateway has told the shop of everything, or has given up. */
async function settle(orderId) {
  const deadline = Date.now() + PATIENCE;
  const { webhookAttempts } = await readSettings();
  for (;;) {
    const ledger = await readLedger(orderId);
    if (isSettled(ledger, webhookAttempts)) {
      return ledger;
    }
    if (Date.now() > deadline) {
      throw new Error("The gateway still tries to tell the shop of the payment");
    }
    await pause(BUSY);
  }
}

/** Every charge is an event, which ends with a success or the last attempt. */
function isSettled({ simulators: { charges, deliveries } }, attempts) {
  const ended = deliveries.newest.filter(({ answer, attempt }) => answer.startsWith("2") || attempt >= attempts);
  return new Set(ended.map((delivery) => delivery.eventId)).size >= charges.count;
}

/** Looks at what happened since it looked last, one look after the other. */
function look() {
  looking = looking.then(lookOnce, lookOnce);
  return looking;
}

/** Shows a new story, which has no part in what happened before. */
function begin(order) {
  const show = () => {
    shown = { order, answers: [], entries: [] };
  };
  looking = looking.then(lookOnce, lookOnce).then(show, show); // what cannot be read now ends the story later
  return looking;
}

async function lookOnce() {
  const of = shown;
  const [timeline, ledger] = await Promise.all([readTimeline(last), readLedger(of.order?.orderId)]);
  last = timeline.entries.at(-1)?.number ?? last;
  if (!of.ended) {
    of.entries = [...of.entries, ...timeline.entries].slice(-MOST_ENTRIES);
  }
  const news = JSON.stringify([timeline.enabled, timeline.store, ledger, of]);
  if (of === shown && news !== seenLast) {
    seenLast = news;
    showProtection(timeline);
    showTimeline(page.timeline, of.entries, timeline.enabled);
    showLedger(ledger, of.order);
    showSent(of, of.order ? ledger : undefined);
  }
}

function showProtection({ enabled: on, store }) {
  say(page.protection, on
    ? `Protection is on. Records are kept by the store “${store}”. Without it: start the shop with --idempotency.enabled=false.`
    : "Protection is off (--idempotency.enabled=false): the same buttons show what happens without it.");
  page.protection.classList.toggle("off", !on);
}

async function keepLooking() {
  for (;;) {
    try {
      await look();
      if (!running) {
        await lookAtSettings();
      }
    } catch (failure) {
      seenLast = undefined;
      // What is no answer at all is a TypeError of fetch.
      say(page.protection, failure instanceof TypeError ? "The shop does not answer." : `${failure.message}.`);
      page.protection.classList.add("off");
    }
    await pause(running ? BUSY : CALM);
  }
}

function tell(mood, text) {
  page.verdict.className = `verdict ${mood}`;
  say(page.verdict, text);
}

/** Marks which story is running. Buttons stay reachable, so that the keyboard does not lose its place. */
function mark(id) {
  for (const button of page.stories.querySelectorAll("button")) {
    button.setAttribute("aria-disabled", String(id !== undefined));
    button.classList.toggle("running", button.id === id);
  }
}

function storyItem(story) {
  const button = element("button", story.title);
  button.type = "button";
  button.id = story.id;
  button.setAttribute("aria-describedby", `${story.id}-plot`);
  button.addEventListener("click", () => play(story));
  const plot = element("p", story.plot);
  plot.id = `${story.id}-plot`;
  return parent("li", undefined, button, plot, ...(story.realTime ? [realTimeSwitch(story.realTime)] : []));
}

function realTimeSwitch(text) {
  const box = element("input");
  box.type = "checkbox";
  box.id = "real-time";
  return parent("p", "switch", parent("label", undefined, box, ` ${text}`));
}

page.stories.replaceChildren(...stories.map(storyItem));
keepLooking();
