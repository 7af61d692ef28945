// Elements in a line each: h("button", { class: "x", onclick: f }, "text", child); `hue` is the property --h of the style

const SVG = "http://www.w3.org/2000/svg";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "hue") element.style.setProperty("--h", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);
export const s = (name, attributes = {}, ...children) => made(document.createElementNS(SVG, name), attributes, children);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

// A tile: its letter, or ? for a blank; `value` in points. `extra` are further attributes; `spoken` is what a screen reader
// says of it. A blank that stands for a letter shows that one, else ?.
export function tile(letter, value, kind = "span", extra = {}, spoken = null, stands = "") {
  const blank = letter === "?";
  const kinds = [blank && "blank", value > 9 && "ten", extra.class];
  return h(
    kind,
    { ...extra, class: ["tile", ...kinds.filter(Boolean)].join(" ") },
    h("span", { class: "letter", "aria-hidden": "true" }, blank ? stands.toUpperCase() || "?" : letter.toUpperCase()),
    h("sub", { "aria-hidden": "true" }, blank && !value ? "" : String(value)),
    h("span", { class: "unseen" }, spoken ?? (blank && !value ? "blank" : `${blank ? "blank" : letter}, ${value}`)),
  );
}

// a word with its blanks marked: `tiles` as they were laid down
export const shown = (word, tiles) =>
  h("span", {}, [...word].map((letter, place) => (tiles[place] === "?" ? h("i", { title: "a blank" }, letter) : letter)));

const WORDS = new Set(["rack", "play", "word", "better", "who", "verdict", "puzzle", "row", "date"]); // columns of words, not of numbers
export const column = (name) => h("th", { scope: "col", class: WORDS.has(name) ? "word" : null }, name);
export const head = (...names) => h("thead", {}, h("tr", {}, names.map(column)));
