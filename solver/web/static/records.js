// The record book.

import { ask, messageOf } from "./api.js";
import { showGames } from "./show.js";
import { fill, h, head } from "../view/dom.js";
import { id } from "./page.js";

export class Records {
  constructor(open) {
    this.open = open;
  }

  async show() {
    let records;
    try {
      records = await ask("records", {});
    } catch (error) {
      fill(id("view-records"), h("p", { class: "bad" }, messageOf(error)));
      return;
    }
    fill(
      id("view-records"),
      h("h2", {}, "The record book"),
      h("table", {},
        head("puzzle", "best known", "no game exceeds", ""),
        h("tbody", {}, records.map((record) =>
          h("tr", {},
            h("td", { class: "word" }, record.puzzle),
            h("td", {}, String(record.best)),
            h("td", {}, record.bound === null ? "" : String(Math.floor(record.bound))),
            h("td", {},
              h("button", { type: "button", "aria-label": `Play ${record.puzzle}`, onclick: () => this.open({ name: record.puzzle }, []) }, "Play"),
              h("button", { type: "button", "aria-label": `Show the best game of ${record.puzzle}`, onclick: () => this.showGame(record) }, "Show the game")))))),
    );
  }

  showGame({ puzzle, turns, best }) {
    const game = { puzzle: { name: puzzle }, text: turns.join("\n"), number: 0, name: `The best known game of ${puzzle}, ${best} points` };
    showGames([game], (lines) => this.open({ name: puzzle }, lines));
  }
}
