// Parts of the page by their names, tabs, and dialogs.

import { fill, h } from "../view/dom.js";
import { Lost, Refused } from "./failures.js";

// the message of an error for the user; a fault of the page is reported in the console, too
export function messageOf(error) {
  if (error instanceof Refused || error instanceof Lost) return error.message;
  reportError(error);
  return `This page has a fault: ${error.message}`;
}

// Show an error. The message of a lost connection goes once the engine answers again.
export function fail(element, error) {
  element.textContent = messageOf(error);
  element.classList.add("bad");
  if (error instanceof Lost) element.dataset.lost = "";
}

document.addEventListener("online-again", () => {
  for (const element of document.querySelectorAll("[data-lost]")) {
    element.textContent = "";
    element.classList.remove("bad");
    delete element.dataset.lost;
  }
});

// "1 turn", "2 turns"
export const counted = (count, thing) =>
  `${count.toLocaleString("en", { useGrouping: "min2" })} ${thing}${count === 1 ? "" : "s"}`;

export const id = (name) => document.getElementById(name);

// the next text for a screen reader
export function say(text) {
  id("live").textContent = text;
}

// new children, with the focus on the one that has the same `data-key` as the one before
export function refill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  fill(element, ...children);
  if (key === undefined) return;
  const same = element.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (same ?? element.querySelector("[data-key]:not(:disabled)"))?.focus({ preventScroll: true });
}

export function choose(tabs, chosen) {
  for (const [tab, panel] of tabs) {
    const on = tab === chosen;
    id(tab).setAttribute("aria-selected", String(on));
    id(tab).tabIndex = on ? 0 : -1;
    id(panel).hidden = !on;
  }
}

export function tabs(pairs, onChosen) {
  pairs.forEach(([tab], number) => {
    id(tab).addEventListener("click", (event) => {
      onChosen(tab);
      // after a click with the mouse the arrow keys are for the draw again
      if (event.detail > 0) id(tab).blur();
    });
    id(tab).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = pairs[(number + step + pairs.length) % pairs.length][0];
      onChosen(next);
      id(next).focus();
      event.preventDefault();
      event.stopPropagation();
    });
  });
}

// `actions` are buttons next to the title
export function dialog(title, content, actions = []) {
  const box = id("dialog");
  box.className = "";
  fill(
    box,
    h(
      "form",
      { method: "dialog", class: "title" },
      h("h2", { id: "dialog-title" }, title),
      h("span.gap"),
      actions,
      h("button.close", "Close"),
    ),
    content,
  );
  if (!box.open) box.showModal();
  return box;
}
