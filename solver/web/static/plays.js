// The best plays of a position: the best lines found over all draws, and below them all plays of one draw or of every
// draw.

import { playsOf } from "./api.js";
import { button, fill, h, line, table } from "../view/dom.js";
import { Game } from "./game.js";
import { counted, id, TOO_LARGE } from "./page.js";
import { shownTurn } from "./turns.js";

const LINES = 5; // best lines
const PAGE = 20; // plays that are listed at first, and added at a time
// what a list can be ordered by; key: the least comes first
const ORDERS = {
  left: { name: "draw", title: "tiles from the left", way: "ascending", key: (play) => play.left },
  word: { name: "play", title: "by the alphabet", way: "ascending", key: (play) => play.word },
  score: { name: "points", title: "the most points first", way: "descending", key: (play) => -play.score },
  leave: { name: "leave", title: "what stays on the rack" },
  reach: {
    name: "reaches",
    title: "the best score found after it",
    way: "descending",
    key: (play) => -(play.reach ?? 0),
  },
};

export class Plays {
  constructor(play) {
    this.play = play;
    this.state = ""; // the position whose plays are asked for
    this.draws = null; // the answer of `playsOf`
    this.everyDraw = false;
    this.order = "score";
    this.shown = PAGE;
  }

  // ask for the plays of this position, if another one was shown
  async show() {
    const { asked, game } = this.play;
    const lines = game.lines();
    const state = JSON.stringify([asked, lines]);
    if (this.state !== state) {
      Object.assign(this, { state, draws: null, shown: PAGE });
      this.update();
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
    const list = this.draws ? this.list() : h("p", "Looking for plays …");
    fill(id("side-plays"), h("div", { id: "lines" }, this.lines()), h("div", { id: "plays" }, list));
  }

  lines() {
    const { game, known, isOver } = this.play;
    const lines = known.lines(game).slice(0, LINES);
    if (isOver) return h("p", "The game is over: no word can be played.");
    if (!lines.length) return h("p", game.puzzle.solvable ? "Looking for the best plays …" : TOO_LARGE);
    const rows = lines.map(({ turn, points, reach, loss }) =>
      line(turn.left, this.laying(turn), points, bestIf(!loss, reach), loss ? `−${loss}` : 0),
    );
    return [
      h("h3", "Best of all draws"),
      table(["draw", "play", "points", "reaches", "loss"], rows),
      h("p.quiet", "“Reaches” is the best score of the games found that go on with a play."),
    ];
  }

  // a cell whose button lays a play down
  laying(turn) {
    const title = `Draw ${turn.left} from the left, and lay it down`;
    return h(
      "td.word",
      button(shownTurn(turn), () => this.play.suggest(turn), { title }),
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

  column([order, { name, title, way }]) {
    const look = { scope: "col", class: order === "word" || !way ? "word" : null };
    if (!way) return h("th", { ...look, title }, name);
    const sort = button(name, () => this.set({ order }), { title, "data-key": `sort-${order}` });
    return h("th", { ...look, "aria-sort": this.order === order ? way : null }, sort);
  }

  list() {
    const all = this.sorted();
    const shown = all.slice(0, this.shown).map((play) => this.withReach(play));
    const reached = Math.max(...shown.map((play) => play.reach ?? 0));
    const rows = shown.map((play) =>
      line(
        play.left,
        this.laying(play),
        play.score,
        h("td.leave", play.leave || "–"),
        bestIf(play.reach === reached, play.reach ?? ""),
      ),
    );
    const number = this.draws.find((draw) => draw.plays.length)?.plays.length;
    const every = { type: "checkbox", checked: this.everyDraw };
    const change = ({ target }) => this.set({ everyDraw: target.checked });
    const more = () => this.set({ shown: this.shown + PAGE });
    return [
      h("h3", "By points"),
      h("label", h("input", { ...every, onchange: change }), " Plays of every draw"),
      all.length
        ? h(
            "table",
            h(
              "thead",
              h(
                "tr",
                Object.entries(ORDERS).map((order) => this.column(order)),
              ),
            ),
            h("tbody", rows),
          )
        : h("p", "No word can be played after this draw."),
      all.length > this.shown &&
        button(`Show more (${this.shown} of ${all.length})`, more, { class: "more", "data-key": "more" }),
      all.length > 0 && h("p.quiet", `These are the ${counted(number, "play")} of each draw with the most points.`),
    ];
  }

  set(settings) {
    Object.assign(this, settings);
    this.update();
  }
}

const bestIf = (isBest, points) => h("td", { class: isBest ? "best" : null }, points);
