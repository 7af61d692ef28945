// The game as text for elsewhere, and the address that opens it.

import { ask, Refused } from "./api.js";
import { h } from "../view/dom.js";
import { dialog, say } from "./page.js";

const FORMS = { Text: "text", "Reddit markdown": "reddit", Markdown: "markdown", JSON: "json", SVG: "svg" };

export function share(play) {
  const area = h("textarea", { rows: "9", readonly: true, "aria-label": "The game as text" });
  const told = h("p", { role: "status" });
  const copy = async (name, text) => {
    area.value = text;
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = `${name} copied.`;
    } catch {
      told.textContent = `${name} is selected: copy it with the keyboard.`;
    }
    say(told.textContent);
  };
  const exported = async (name) => {
    try {
      const answer = await ask("export", { puzzle: play.asked, turns: play.game.lines(), form: FORMS[name] });
      await copy(name, answer.text);
    } catch (error) {
      told.textContent = error instanceof Refused ? error.message : "The server does not answer.";
    }
  };
  const none = !play.game.turns.length;
  const buttons = [
    h("button", { type: "button", onclick: () => copy("Link", location.href) }, "Link"),
    ...Object.keys(FORMS).map((name) => h("button", { type: "button", disabled: none, onclick: () => exported(name) }, name)),
  ];
  dialog("Share this game", h("p", {}, "Choose a form: it is copied."), h("div", { class: "fields" }, buttons), area, told);
  area.value = location.href;
}
