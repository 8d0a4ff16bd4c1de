// Shows what happened to each key, one lane for each.

import { element, parent } from "./text.js";

const OPERATIONS = {
  checkout: "the press of the button",
  order: "the order, by whichever press",
  "payment-webhook": "the event of the gateway",
  provisioning: "the payment that events tell of",
  lead: "somebody who leaves an address",
};

const HAPPENINGS = {
  STARTED: (entry) => (entry.attempt === 1 ? "Attempt 1 begins: the key is new" : `Attempt ${entry.attempt} begins: the key was free`),
  TAKEN_OVER: (entry) => `Attempt ${entry.attempt} takes over: the one before has vanished`,
  WAITING: () => "Asked again meanwhile: waits for the answer",
  STEP_STARTED: (entry) => `${entry.step} begins`,
  STEP_RECORDED: (entry) => `${entry.step} is done, and recorded`,
  STEP_SKIPPED: (entry) => `${entry.step} was done before: skipped`,
  STEP_FAILED: (entry) => `${entry.step} failed`,
  RECORDED: () => "The answer is recorded",
  RELEASED: () => "Failed: the key is free for the next attempt",
  HELD: () => "In doubt: somebody must look",
  LOST: () => "Was too slow: another attempt may have taken over",
  REPLAYED: () => "Asked again: gets the recorded answer, nothing runs",
  REFUSED_IN_PROGRESS: () => "Asked again meanwhile: refused, come back later (409)",
  REFUSED_OTHER_CONTENT: () => "Asked for something else with this key: refused (422)",
  REFUSED_WITHOUT_STORE: () => "The store gave no answer: refused, nothing runs",
  REFUSED: () => "Refused",
};

const MARKS = {
  STARTED: "run", TAKEN_OVER: "run", RECORDED: "good", STEP_RECORDED: "good", STEP_SKIPPED: "skip", REPLAYED: "skip",
  WAITING: "wait", STEP_STARTED: "run", STEP_FAILED: "bad", RELEASED: "bad", HELD: "bad", LOST: "bad",
  REFUSED_IN_PROGRESS: "wait", REFUSED_OTHER_CONTENT: "bad", REFUSED: "bad", REFUSED_WITHOUT_STORE: "bad",
};

/** Shows entries in place of what is shown. */
export function showTimeline(container, entries, enabled) {
  if (entries.length === 0) {
    container.replaceChildren(
      element("p", enabled ? "Nothing yet." : "Nothing: with the starter switched off nobody remembers any key.", "note"),
    );
    return;
  }
  container.replaceChildren(...lanes(entries).map(lane));
}

function lanes(entries) {
  const byKey = new Map();
  for (const entry of entries) {
    const name = `${entry.operation} ${entry.key}`;
    byKey.set(name, [...(byKey.get(name) ?? []), entry]);
  }
  return [...byKey.values()];
}

function lane(entries) {
  const [first] = entries;
  const heading = parent("h3", undefined, element("span", first.operation), " ", element("code", first.key));
  const about = OPERATIONS[first.operation];
  const list = parent("ol", undefined, ...collapsed(entries).map((run) => happening(run, Date.parse(first.at))));
  const section = parent("section", "lane", heading, ...(about ? [element("p", about, "note")] : []), list);
  section.dataset.operation = first.operation;
  return section;
}

/** Puts together what happened several times in a row. */
function collapsed(entries) {
  const runs = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last && last.entry.kind === entry.kind && last.entry.step === entry.step && last.entry.attempt === entry.attempt) {
      last.count++;
    } else {
      runs.push({ entry, count: 1 });
    }
  }
  return runs;
}

function happening({ entry, count }, start) {
  const offset = ((Date.parse(entry.at) - start) / 1000).toFixed(2);
  const text = HAPPENINGS[entry.kind](entry) + (count > 1 ? `, ${count} times` : "");
  const item = parent("li", MARKS[entry.kind], element("time", `+${offset} s`), element("span", text));
  item.dataset.kind = entry.kind;
  if (entry.step) {
    item.classList.add("step");
  }
  return item;
}
