// Parts of the page by their names, tabs, and dialogs.

import { fill, h } from "../view/dom.js";

export const id = (name) => document.getElementById(name);

// what a screen reader says next
export function say(text) {
  id("live").textContent = text;
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
  box.className = "";
  fill(
    box,
    h("h2", { id: "dialog-title" }, title),
    ...content,
    h("form", { method: "dialog" }, h("button", { class: "close", "aria-label": "Close" }, "Close")),
  );
  if (!box.open) box.showModal();
  return box;
}
