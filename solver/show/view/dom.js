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
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  if (classes.length) element.classList.add(...classes);
  element.append(...children.flat(Infinity).filter(isShown));
  return element;
}

const isShown = (child) => child !== null && child !== undefined && child !== false;

export const h = (name, ...rest) => made((tag) => document.createElement(tag), name, rest);
export const s = (name, ...rest) => made((tag) => document.createElementNS(SVG, tag), name, rest);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(isShown));
}

// A tile: its letter, or ? for a blank; `value` in points. `extra` are further attributes; `spoken` is what a screen
// reader
// says of it. A blank that stands for a letter shows that one, else ?.
export function tile(letter, value, kind = "span", extra = {}, spoken = null, stands = "") {
  const blank = letter === "?";
  const kinds = [blank && "blank", value > 9 && "ten", extra.class];
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
const WORDS = new Set(["rack", "play", "word", "better", "who", "verdict", "puzzle", "row", "date"]);
// a column without a name is none for a screen reader
export const column = (name) =>
  h(name ? "th" : "td", { scope: name ? "col" : null, class: WORDS.has(name) ? "word" : null }, name);
export const head = (...names) => h("thead", h("tr", names.filter((name) => name !== false).map(column)));
