// Elements in a line each: h("button.main", { onclick: f }, "text", child), attributes or not; `hue` is the property
// --h of the style

const SVG = "http://www.w3.org/2000/svg";

const isAttributes = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Node);

function made(make, name, [first, ...rest]) {
  const [tag, ...classes] = name.split(".");
  const element = make(tag);
  const attributes = isAttributes(first) ? first : {};
  const children = isAttributes(first) ? rest : [first, ...rest];
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "hue") element.style.setProperty("--h", value);
    else if (name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  if (classes.length) element.classList.add(...classes);
  element.append(...children.flat(Infinity).filter(isShown));
  return element;
}

const isShown = (child) => child !== null && child !== undefined && child !== false;

export const h = (name, ...rest) => made((tag) => document.createElement(tag), name, rest);
export const s = (name, ...rest) => made((tag) => document.createElementNS(SVG, tag), name, rest);

// Give an element these children. An old child with the key of a new one, or without keys of its kind and in its place,
// takes over what the new one is: so nothing is replaced under a finger, and the focus stays. Do not hold a new child.
export function fill(element, ...children) {
  const hadFocus = element.contains(document.activeElement);
  take(element, h("div", children));
  const focused = element.querySelector(":focus");
  if (hadFocus && (!focused || focused.disabled))
    element.querySelector("button:enabled")?.focus({ preventScroll: true });
}

function take(element, { childNodes }) {
  const old = [...element.childNodes];
  const keyOf = (node) => node.dataset?.key;
  const kept = [...childNodes].map((node, at) => {
    const key = keyOf(node);
    const now = key === undefined ? old[at] : old.find((one) => keyOf(one) === key);
    return now?.nodeName === node.nodeName && keyOf(now) === key ? adapted(now, node) : node;
  });
  // an element that is moved loses the focus
  for (const node of old) if (!kept.includes(node)) node.remove();
  kept.forEach((node, at) => {
    const there = element.childNodes[at];
    if (node !== there) element.insertBefore(node, there ?? null);
  });
}

const HANDLERS = ["onclick", "onchange", "oninput", "onsubmit"];

function adapted(now, node) {
  if (now.isEqualNode(node) && !now.firstElementChild && HANDLERS.every((name) => now[name] === node[name])) return now;
  if (node instanceof Text) {
    now.data = node.data;
    return now;
  }
  for (const name of now.getAttributeNames()) if (!node.hasAttribute(name)) now.removeAttribute(name);
  for (const name of node.getAttributeNames()) {
    // the policy of pages allows no style as a text
    if (name === "style") now.style.cssText = node.style.cssText;
    else now.setAttribute(name, node.getAttribute(name));
  }
  for (const name of HANDLERS) now[name] = node[name];
  take(now, node);
  return now;
}

export const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);

// A tile: its letter, or ? for a blank; `value` in points. `extra` are further attributes; `spoken` is what a screen
// reader says of it. A blank that stands for a letter shows that one, else ?.
export function tile(letter, value, kind = "span", extra = {}, spoken = null, stands = "") {
  const blank = letter === "?";
  const kinds = [blank && "blank", extra.class];
  return h(
    kind,
    { ...extra, class: ["tile", ...kinds.filter(Boolean)].join(" ") },
    h("span", { class: "letter", "aria-hidden": "true" }, blank ? stands.toUpperCase() || "?" : letter.toUpperCase()),
    h("sub", { "aria-hidden": "true" }, blank && !value ? "" : String(value)),
    h("span.unseen", spoken ?? (blank && !value ? "blank" : `${blank ? "blank" : letter}, ${value}`)),
  );
}

// a word with its blanks marked: `tiles` as they were laid down
export const shown = (word, tiles) =>
  h(
    "span",
    [...word].map((letter, place) => (tiles[place] === "?" ? h("i", { title: "a blank" }, letter) : letter)),
  );

// columns of words, not of numbers
const WORDS = new Set(["rack", "play", "word", "better", "who", "verdict", "puzzle", "row", "date", "games"]);
// a column without a name is none for a screen reader
export const column = (name) =>
  h(name ? "th" : "td", { scope: name ? "col" : null, class: WORDS.has(name) ? "word" : null }, name);
export const head = (...names) => h("thead", h("tr", names.filter((name) => name !== false).map(column)));
export const table = (names, rows, look = {}) => h("table", look, head(...names), h("tbody", rows));
// the cells of a row; what is no cell becomes one
export const cells = (...values) =>
  values
    .flat(Infinity)
    .map((value) => (value instanceof HTMLTableCellElement || !isShown(value) ? value : h("td", value)));
export const line = (...values) => h("tr", cells(values));
