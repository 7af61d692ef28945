// The player's own games, the last one first.

import { button, fill, h } from "../view/dom.js";
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
    const bring = () => button("Bring it back", () => this.bring());
    fill(
      id("view-games"),
      h("h2", "My games"),
      h("p", { role: "status" }, this.removed && ["The game was removed. ", bring()]),
      h(
        "div.card",
        entries.length
          ? entries.map((entry) => this.line(entry))
          : "The games that you play are kept in this browser, and listed here.",
      ),
    );
  }

  line(entry) {
    const { name, asked, lines, score, over, when } = entry;
    const turns = counted(lines.length, "turn");
    const what = `${name.slice(0, 40)}, ${turns}`;
    return h(
      "div.entry",
      h(
        "div",
        h("strong", name),
        h("div.quiet", `${turns}, ${over ? "finished" : "in progress"}, ${WHEN.format(new Date(when))}`),
      ),
      h("b", score),
      button(over ? "Open" : "Go on", () => this.open(asked, lines), {
        "aria-label": `${over ? "Open" : "Go on with"} ${what}`,
      }),
      button("Remove", () => this.remove(entry), { "aria-label": `Remove ${what}` }),
    );
  }

  remove(entry) {
    this.removed = entry;
    this.games.remove(entry.id);
    this.show();
  }

  bring() {
    // another tab may have gone on with it
    if (!this.games.withId(this.removed.id)) this.games.keep(this.removed);
    this.removed = null;
    this.show();
  }
}
