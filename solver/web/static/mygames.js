// The player's own games, the last one first.

import { positionOf } from "./api.js";
import { fill, h } from "../view/dom.js";
import { counted, id } from "./page.js";

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export class MyGames {
  // open: called with the puzzle and the lines of a game
  constructor(games, open) {
    this.games = games;
    this.open = open;
    this.removed = null; // the entry removed last
  }

  show() {
    const entries = this.games.all().filter((entry) => entry.lines.length);
    fill(
      id("view-games"),
      h("h2", {}, "My games"),
      h("p", { role: "status" }, this.removed && ["The game was removed. ", h("button", { type: "button", onclick: () => this.bring() }, "Bring it back")]),
      entries.length
        ? h("table", {},
            h("thead", {}, h("tr", {}, [["row", "word"], ["score", ""], ["turns", ""], ["", "word"], ["date", "word"]].map(([name, kind]) => h(name ? "th" : "td", { scope: name ? "col" : null, class: kind }, name)), h("td", {}))),
            h("tbody", {}, entries.map((entry) => this.line(entry))))
        : h("p", {}, "The games that you play are kept in this browser, and listed here."),
    );
    this.complete(entries);
  }

  line(entry) {
    const { name, lines, score, over, when } = entry;
    const what = `${name.slice(0, 40)}, ${counted(lines.length, "turn")}`;
    return h("tr", {},
      h("td", { class: "word" }, name),
      h("td", { class: "points" }, score === null ? "–" : String(score)),
      h("td", {}, String(lines.length)),
      h("td", { class: "word" }, over ? "finished" : "in progress"),
      h("td", { class: "word" }, when === null ? "earlier" : WHEN.format(new Date(when))),
      h("td", {},
        h("button", { type: "button", "aria-label": `${over ? "Open" : "Go on with"} ${what}`, onclick: () => this.open(entry.asked, lines) }, over ? "Open" : "Go on"),
        h("button", { type: "button", "aria-label": `Remove ${what}`, onclick: () => this.remove(entry) }, "Remove")));
  }

  remove(entry) {
    this.removed = entry;
    this.games.remove(entry.id);
    this.show();
  }

  bring() {
    this.games.keep(this.removed);
    this.removed = null;
    this.show();
  }

  // games of earlier versions were kept without their score
  async complete(entries) {
    let isNew = false;
    for (const entry of entries.filter((entry) => entry.score === null)) {
      const position = await positionOf(entry.asked, entry.lines).catch(() => null);
      // a puzzle that another server was started with is not known here
      if (!position || position.faults.length) continue;
      isNew = this.games.keep({ ...entry, score: position.total, over: position.over }) || isNew;
    }
    if (isNew) this.show();
  }
}
