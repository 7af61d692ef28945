// Parts of the page by their names, tabs, and dialogs.

import { h } from "../view/dom.js";
import { Lost, Refused } from "./failures.js";

// the message of an error for the user; a fault of the page is reported in the console, too
export function messageOf(error) {
  if (error instanceof Refused || error instanceof Lost) return error.message;
  reportError(error);
  return `This page has a fault: ${error.message}`;
}

// the message of an error; that of a lost connection goes once the engine answers again
export const failure = (error) => h("span.bad", { "data-lost": error instanceof Lost }, messageOf(error));

document.addEventListener("online-again", () => {
  for (const element of document.querySelectorAll("[data-lost]")) element.remove();
});

export const TOO_LARGE = "This row is too large to be searched here.";

// "1 turn", "2 turns"
export const counted = (count, thing) =>
  `${count.toLocaleString("en", { useGrouping: "min2" })} ${thing}${count === 1 ? "" : "s"}`;

export const id = (name) => document.getElementById(name);

// the next text for a screen reader
export function say(text) {
  id("live").textContent = text;
}

const tabOf = (name) => id(`tab-${name}`);

// show one of the panels
export function choose(kind, names, chosen) {
  for (const name of names) {
    tabOf(name).setAttribute("aria-selected", name === chosen);
    tabOf(name).tabIndex = name === chosen ? 0 : -1;
    id(`${kind}-${name}`).hidden = name !== chosen;
  }
}

export function tabs(names, onChosen) {
  names.forEach((name, number) => {
    tabOf(name).addEventListener("click", (event) => {
      onChosen(name);
      // after a click with the mouse the arrow keys are for the draw again
      if (event.detail > 0) tabOf(name).blur();
    });
    tabOf(name).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = names[(number + step + names.length) % names.length];
      onChosen(next);
      tabOf(next).focus();
      event.preventDefault();
      event.stopPropagation();
    });
  });
}

// of fields for what is no prose
export const VERBATIM = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

// let the browser save a file
export function download(name, blob) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

// `actions` are buttons next to the title
export function dialog(title, content, actions = []) {
  const box = id("dialog");
  box.className = "";
  // its parts may be held by whoever opens it
  box.replaceChildren(
    h(
      "form",
      { method: "dialog", class: "title" },
      h("h2", { id: "dialog-title" }, title),
      h("span.gap"),
      actions,
      h("button.close", "Close"),
    ),
    h("div", content),
  );
  if (!box.open) box.showModal();
  return box;
}
