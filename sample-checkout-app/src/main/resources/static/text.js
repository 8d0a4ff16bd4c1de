// How numbers are said, and how elements are made of text. No markup is ever made of a text.

const euros = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });

export function money(cents) {
  return euros.format(cents / 100);
}

export function times(count) {
  return ["never", "once", "twice"][count] ?? `${count} times`;
}

export function counted(count, one, many = one + "s") {
  return `${count} ${count === 1 ? one : many}`;
}

/** Lets an element say something. What it says already is not announced again. */
export function say(of, text) {
  if (of.textContent !== text) {
    of.textContent = text;
  }
}

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}

/** Makes an element of others. */
export function parent(name, className, ...children) {
  const made = element(name, undefined, className);
  made.append(...children);
  return made;
}
