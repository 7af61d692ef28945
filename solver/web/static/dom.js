// Elements in a line each: h("button", { class: "x", onclick: f }, "text", child)

const SVG = "http://www.w3.org/2000/svg";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);
export const s = (name, attributes = {}, ...children) => made(document.createElementNS(SVG, name), attributes, children);
export const id = (name) => document.getElementById(name);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

// what a screen reader says next
export function say(text) {
  id("live").textContent = text;
}

// A tile: its letter, or ? for a blank; `value` in points. `extra` are further attributes.
export function tile(letter, value, kind = "span", extra = {}) {
  const blank = letter === "?";
  return h(
    kind,
    { ...extra, class: `tile${blank ? " blank" : ""} ${extra.class ?? ""}` },
    h("span", { class: "letter", "aria-hidden": "true" }, blank ? "" : letter.toUpperCase()),
    h("sub", { "aria-hidden": "true" }, blank ? "" : String(value)),
    h("span", { class: "unseen" }, blank ? "blank" : `${letter}, ${value}`),
  );
}

export function choose(tabs, chosen) {
  for (const [tab, panel] of tabs) {
    const on = tab === chosen;
    id(tab).setAttribute("aria-selected", String(on));
    id(tab).tabIndex = on ? 0 : -1;
    id(panel).hidden = !on;
  }
}

export function tabs(pairs, told) {
  pairs.forEach(([tab], number) => {
    id(tab).addEventListener("click", () => told(tab));
    id(tab).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = pairs[(number + step + pairs.length) % pairs.length][0];
      told(next);
      id(next).focus();
      event.preventDefault();
      event.stopPropagation();
    });
  });
}

export function dialog(title, ...content) {
  const box = id("dialog");
  fill(
    box,
    h("h2", { id: "dialog-title" }, title),
    ...content,
    h("form", { method: "dialog" }, h("button", { class: "close", "aria-label": "Close" }, "Close")),
  );
  if (!box.open) box.showModal();
  return box;
}
