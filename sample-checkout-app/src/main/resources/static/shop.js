// The shop's API, as a client calls it.

const AMOUNT_CENTS = 120000;

const SETTINGS = "/api/simulators/settings";

/** Makes a name that nobody else makes. Not by randomUUID, which browsers offer on secure origins only. */
export function unique(prefix) {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return prefix + "-" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function newOrder() {
  return { orderId: unique("order"), email: "ada@example.com", plan: "annual", amountCents: AMOUNT_CENTS };
}

/** Sends an order with its key. Gives the parts of the answer that the page tells of. */
export async function pay(key, order) {
  const response = await fetch("/api/checkouts", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(order),
  });
  const answer = await response.json().catch(() => ({}));
  return {
    status: response.status,
    replayed: response.headers.get("Idempotent-Replayed") === "true",
    orderNumber: answer.orderNumber,
    retryAfter: Number(response.headers.get("Retry-After")), // 0 without the header
    problem: response.ok ? undefined : answer.title,
  };
}

/** Lets another process begin the order, and kills it in the middle. Gives its number, and what the system says of its end. */
export function killWorker(key, order) {
  return json("/api/workers", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(order),
  });
}

export function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

export async function json(path, options) {
  const response = await fetch(path, options);
  if (!response.ok) {
    const { detail } = await response.json().catch(() => ({}));
    throw new Error([`${path} was answered with ${response.status}`, detail].filter(Boolean).join(": "));
  }
  return response.json();
}

/** Reads what was done for one order, or for all. */
export function readLedger(orderId) {
  return json("/api/ledger" + (orderId ? "?orderId=" + encodeURIComponent(orderId) : ""));
}

export function readTimeline(after) {
  return json("/api/timeline?after=" + after);
}

/** Reads how the systems around the shop behave. */
export function readSettings() {
  return json(SETTINGS);
}

/** Reads how they behaved when they were started. */
export function readSettingsOfTheStart() {
  return json(SETTINGS + "/start");
}

/** Changes how they behave, from now on. Waits for those who have changed it for a while. */
export function changeSettings(settings) {
  return oneAtATime(() => change(settings));
}

/**
 * Lets the systems around the shop behave differently while something is done, and as before after it. Another tab that
 * wants that too waits, where the browser offers locks, which is on secure origins such as localhost.
 */
export function withSettings(changes, action) {
  return oneAtATime(() => changed(changes, action));
}

function oneAtATime(action) {
  return navigator.locks ? navigator.locks.request("settings", action) : action();
}

async function changed(changes, action) {
  const before = await readSettings();
  // Whoever closes or reloads the page leaves nobody to wait for the end.
  const leave = () => void fetch(SETTINGS, { ...changeTo(before), keepalive: true });
  addEventListener("pagehide", leave);
  try {
    await change({ ...before, ...changes });
    return await action();
  } finally {
    removeEventListener("pagehide", leave);
    await change(before);
  }
}

function change(settings) {
  return json(SETTINGS, changeTo(settings));
}

function changeTo(settings) {
  return { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(settings) };
}
