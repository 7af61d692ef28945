// The best plays of a position: the best lines found over all draws, and below them all plays of one draw or of every
// draw.

import { playsOf } from "./api.js";
import { fill, h, head } from "../view/dom.js";
import { Game } from "./game.js";
import { lineOf } from "./rules.js";
import { counted, id, refill } from "./page.js";
import { shownTurn } from "./turns.js";

const LINES = 5; // best lines
const PAGE = 20; // plays that are listed at first, and added at a time
const ORDERS = {
  left: { key: (play) => play.left, way: "ascending" },
  word: { key: (play) => play.word, way: "ascending" },
  score: { key: (play) => -play.score, way: "descending" },
  reach: { key: (play) => -(play.reach ?? 0), way: "descending" },
};

export class Plays {
  constructor(play) {
    this.play = play;
    this.state = ""; // the position whose plays are asked for
    this.draws = null; // the answer of `playsOf`
    this.everyDraw = false;
    this.order = "score";
    this.shown = PAGE;
    this.lines = h("div", { id: "lines" });
    this.list = h("div", { id: "plays" });
  }

  // ask for the plays of this position, if another one was shown
  async show() {
    const { asked, game } = this.play;
    const lines = game.lines();
    const state = JSON.stringify([asked, lines]);
    if (this.lines.parentNode !== id("side-plays")) fill(id("side-plays"), this.lines, this.list);
    if (this.state !== state) {
      this.state = state;
      this.draws = null;
      this.shown = PAGE;
      this.showLines();
      fill(this.list, h("p", "Looking for plays …"));
      try {
        const draws = await playsOf(asked, lines);
        if (this.state !== state) return;
        this.draws = draws;
      } catch (error) {
        if (this.state === state) this.state = "";
        throw error;
      }
    }
    this.update();
  }

  update() {
    this.showLines();
    if (this.draws) this.showList();
  }

  showLines() {
    const { game, known, isOver } = this.play;
    const lines = known.lines(game).slice(0, LINES);
    if (isOver || !lines.length) {
      refill(
        this.lines,
        h(
          "p",
          isOver
            ? "The game is over: no word can be played."
            : game.puzzle.solvable
              ? "Looking for the best plays …"
              : "This row is too large to be searched here.",
        ),
      );
      return;
    }
    refill(
      this.lines,
      h("h3", "Best of all draws"),
      h(
        "table",
        head("draw", "play", "points", "reaches", "loss"),
        h(
          "tbody",
          lines.map((one) =>
            h(
              "tr",
              h("td", { title: "tiles from the left" }, String(one.turn.left)),
              h("td.word", this.button(one.turn, `line ${one.line}`)),
              h("td", String(one.points)),
              h("td", { class: one.loss ? "" : "best" }, String(one.reach)),
              h("td", one.loss ? `−${one.loss}` : "0"),
            ),
          ),
        ),
      ),
      h("p.quiet", "“Reaches” is the best score of the games found that go on with a play."),
    );
  }

  button(turn, key) {
    return h(
      "button",
      {
        type: "button",
        "data-key": key,
        title: `Draw ${turn.left} from the left, and lay it down`,
        onclick: () => this.play.suggest(turn),
      },
      shownTurn(turn),
    );
  }

  // all plays of the list, in order; what they reach is looked up only where the order depends on it
  sorted() {
    const { key } = ORDERS[this.order];
    const isLast = this.draws.length === 1; // the row is empty after any draw
    const order = (one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : other.score - one.score);
    const plays = this.draws
      .filter((draw) => this.everyDraw || isLast || draw.left === this.play.left)
      .flatMap((draw) => draw.plays.map((play) => ({ ...play, left: draw.left })));
    return (this.order === "reach" ? plays.map((play) => this.withReach(play)) : plays).sort(order);
  }

  withReach(play) {
    const { game, known } = this.play;
    return { ...play, reach: known.reach(new Game(game.puzzle, [...game.turns, play])) };
  }

  showList() {
    const all = this.sorted();
    const shown = all.slice(0, this.shown).map((play) => (play.reach === undefined ? this.withReach(play) : play));
    const reached = Math.max(...shown.map((play) => play.reach ?? 0));
    const scroll = id("side-plays").scrollTop;
    const column = (name, order, title) =>
      h(
        "th",
        {
          scope: "col",
          class: order === "word" ? "word" : null,
          "aria-sort": this.order === order ? ORDERS[order].way : null,
        },
        h("button", { type: "button", "data-key": `sort-${order}`, title, onclick: () => this.set({ order }) }, name),
      );
    const number = this.draws.find((draw) => draw.plays.length)?.plays.length ?? 0;
    refill(
      this.list,
      h("h3", "By points"),
      h(
        "label",
        h("input", {
          type: "checkbox",
          "data-key": "every",
          checked: this.everyDraw,
          onchange: (event) => this.set({ everyDraw: event.target.checked }),
        }),
        " Plays of every draw",
      ),
      all.length
        ? h(
            "table",
            h(
              "thead",
              h(
                "tr",
                column("draw", "left", "tiles from the left"),
                column("play", "word", "by the alphabet"),
                column("points", "score", "the most points first"),
                h("th", { scope: "col", class: "word", title: "what stays on the rack" }, "leave"),
                column("reaches", "reach", "the best score found after it"),
              ),
            ),
            h(
              "tbody",
              shown.map((play) =>
                h(
                  "tr",
                  h("td", String(play.left)),
                  h("td.word", this.button(play, lineOf(play))),
                  h("td", String(play.score)),
                  h("td.leave", play.leave || "–"),
                  h(
                    "td",
                    { class: play.reach !== null && play.reach === reached ? "best" : "" },
                    play.reach === null ? "" : String(play.reach),
                  ),
                ),
              ),
            ),
          )
        : h("p", "No word can be played after this draw."),
      all.length > this.shown &&
        h(
          "button",
          { type: "button", class: "more", "data-key": "more", onclick: () => this.set({ shown: this.shown + PAGE }) },
          `Show more (${this.shown} of ${all.length})`,
        ),
      all.length > 0 && h("p.quiet", `These are the ${counted(number, "play")} of each draw with the most points.`),
    );
    id("side-plays").scrollTop = scroll;
  }

  set(settings) {
    Object.assign(this, settings);
    this.showList();
  }
}
