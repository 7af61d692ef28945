// The record book.

import { toFragment } from "./address.js";
import { recordBook } from "./api.js";
import { showGames } from "./show.js";
import { button, fill, h, line, table } from "../view/dom.js";
import { failure, id } from "./page.js";

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
    this.records = await recordBook();
  }

  async show() {
    try {
      await this.load();
    } catch (error) {
      fill(id("view-records"), failure(error));
      return;
    }
    const isProven = this.records.every(({ best, bound }) => bound !== null && Math.floor(bound) <= best);
    fill(
      id("view-records"),
      h("h2", "The record book"),
      h(
        "p.quiet",
        "The best games known of the bundled rows. ",
        isProven ? "All are proven: no game has more points." : "Where no other figure stands, the score is proven.",
        " ",
        h("a", { href: "solved.html" }, "How it was solved"),
      ),
      h(
        "div.card",
        table(
          ["row", "best", !isProven && "at most", "yours", ""],
          this.records.map((record) => this.line(record, isProven)),
        ),
      ),
    );
  }

  line(record, isProven) {
    const { puzzle, best, bound } = record;
    const most = bound === null ? "?" : Math.floor(bound);
    const mine = this.games.bestOn(toFragment({ name: puzzle }, []));
    return line(
      h("td.word", puzzle),
      best,
      !isProven && (most === best ? "" : most),
      mine ? `${mine} (${Math.floor((100 * mine) / best)} %)` : "–",
      h(
        "td",
        button("Play", () => this.open({ name: puzzle }, []), { "aria-label": `Play ${puzzle}` }),
        button("Show", () => this.showGame(record), { "aria-label": `Show the best game of ${puzzle}` }),
      ),
    );
  }

  showGame({ puzzle, turns, best }) {
    const game = { asked: { name: puzzle }, lines: turns, name: `The best known game of ${puzzle}, ${best} points` };
    showGames([game], (lines) => this.open({ name: puzzle }, lines));
  }
}
