// The record book.

import { toFragment } from "./address.js";
import { recordBook } from "./api.js";
import { showGames } from "./show.js";
import { fill, h, head } from "../view/dom.js";
import { fail, id } from "./page.js";

export class Records {
  // games: the store of own games; open: called with a puzzle and the lines of a game
  constructor(games, open) {
    this.games = games;
    this.open = open;
    this.records = [];
  }

  // the names of the rows in the book
  get names() {
    return this.records.map((record) => record.puzzle);
  }

  async load() {
    this.records = await recordBook().catch(() => this.records);
  }

  async show() {
    try {
      this.records = await recordBook();
    } catch (error) {
      const line = h("p", {});
      fill(id("view-records"), line);
      fail(line, error);
      return;
    }
    fill(
      id("view-records"),
      h("h2", {}, "The record book"),
      h("p", { class: "quiet" }, "The best games known of the bundled rows. A score is proven where no game can exceed it."),
      h("table", {}, head("row", "best known", "no game exceeds", "your best", ""), h("tbody", {}, this.records.map((record) => this.line(record)))),
    );
  }

  line(record) {
    const { puzzle, best } = record;
    const most = record.bound === null ? null : Math.floor(record.bound);
    const mine = this.games.bestOn(toFragment({ name: puzzle }, []));
    return h("tr", {},
      h("td", { class: "word" }, puzzle),
      h("td", {}, String(best)),
      h("td", {}, most === null ? "" : most === best ? h("span", { class: "proven" }, "✓ proven") : String(most)),
      h("td", {}, mine ? `${mine} (${Math.floor((100 * mine) / best)} %)` : "–"),
      h("td", {},
        h("button", { type: "button", "aria-label": `Play ${puzzle}`, onclick: () => this.open({ name: puzzle }, []) }, "Play"),
        h("button", { type: "button", "aria-label": `Show the best game of ${puzzle}`, onclick: () => this.showGame(record) }, "Show")));
  }

  showGame({ puzzle, turns, best }) {
    const game = { puzzle: { name: puzzle }, text: turns.join("\n"), number: 0, name: `The best known game of ${puzzle}, ${best} points` };
    showGames([game], (lines) => this.open({ name: puzzle }, lines));
  }
}
