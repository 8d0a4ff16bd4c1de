// How the systems around the shop behave: shown, changed, and set back to what they were started with.

import { changeSettings, readSettings, readSettingsOfTheStart } from "./shop.js";
import { element, parent, say } from "./text.js";

const COUNTS = { step: 1, min: 0, read: Number, write: Number };

const SECONDS = { step: 0.001, min: 0, read: secondsOf, write: (value) => `PT${value}S` };

const FIELDS = {
  invoiceLatency: ["Seconds until an invoice is answered", SECONDS],
  mailLatency: ["Seconds until a mail is answered", SECONDS],
  mailFailures: ["Next mails that are refused", COUNTS],
  lostReplies: ["Next charges whose reply is lost", COUNTS],
  webhookTimeout: ["Seconds that the gateway waits", { ...SECONDS, min: 0.001 }],
  webhookBackOff: ["Seconds until it sends again, at first", SECONDS],
  webhookAttempts: ["Times that it sends an event", COUNTS],
};

const form = document.getElementById("settings");

const note = document.getElementById("settings-note");

const outcome = element("p", undefined, "note");

/** What somebody is typing is left alone. */
let typed = false;

let start;

/** Fills the form, and says so where the settings are not those of the start. */
export async function lookAtSettings() {
  start ??= await readSettingsOfTheStart();
  show(await readSettings());
}

function show(settings) {
  if (!typed) {
    for (const [name, [, kind]] of Object.entries(FIELDS)) {
      form.elements[name].value = kind.read(settings[name]);
    }
  }
  const same = Object.entries(FIELDS).every(([name, [, kind]]) => kind.read(settings[name]) === kind.read(start[name]));
  say(note, same ? "" : "The other systems do not behave as at their start: see their settings.");
}

/** Changes them, after a story that needs its own has ended. */
async function change(settings) {
  say(outcome, "Waits for the end of the story …");
  try {
    const changed = await changeSettings(settings);
    typed = false;
    show(changed);
    say(outcome, "The other systems behave so from now on.");
  } catch (failure) {
    say(outcome, `Nothing was changed: ${failure.message}`);
  }
}

function entered() {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, [, kind]]) => [name, kind.write(form.elements[name].value)]));
}

/** Reads a time as Java writes it, such as PT1H2M3.5S. */
function secondsOf(text) {
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function field([name, [text, { step, min }]]) {
  const input = element("input");
  Object.assign(input, { type: "number", name, step, min, required: true });
  return parent("label", undefined, element("span", text), input);
}

function button(text, type) {
  const made = element("button", text);
  made.type = type;
  return made;
}

outcome.setAttribute("role", "status");
const reset = button("As at the start", "button");
form.replaceChildren(...Object.entries(FIELDS).map(field), button("Change", "submit"), reset, outcome);
form.addEventListener("input", () => {
  typed = true;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  change(entered());
});
reset.addEventListener("click", () => start && change(start));
