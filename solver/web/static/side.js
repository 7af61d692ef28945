// The panels next to the row: the turns so far, the best plays of a draw, and what each turn lost.

import { ask, messageOf, Searcher } from "./api.js";
import { chart } from "../view/chart.js";
import { fill, h, head, shown } from "../view/dom.js";
import { lineOf, turnOf } from "./game.js";
import { id, refill } from "./page.js";
import { showGames } from "./show.js";

const PAUSE = 400; // milliseconds before a search begins, so that moving the slider starts only one
const MOST = 60; // plays that are listed
const TRIED = 12; // the best plays of a draw that the quick search estimates
const ORDERS = {
  left: { key: (play) => play.left, way: "ascending" },
  word: { key: (play) => play.word, way: "ascending" },
  score: { key: (play) => -play.score, way: "descending" },
  reach: { key: (play) => -(play.reach ?? 0), way: "descending" },
};

export class Side {
  // reachable: called with a score that can be reached from here
  constructor(play, reachable) {
    this.play = play;
    this.reachable = reachable;
    this.searcher = new Searcher();
    this.visit = 0; // the number of the position shown: answers for an earlier one are dropped
    this.draws = null; // a promise of the plays of every draw
    this.everyDraw = false;
    this.order = "score";
    this.cells = new Map();
    this.reach = new Map(); // by line: what can be reached after it
    this.bounds = new Map(); // by puzzle
    this.review = null; // { game, turns, fields, complete }
    this.showing = "tab-turns";
  }

  // the position has changed
  changed() {
    this.draws = null;
    this.reach.clear();
    // a review also covers every position on the way
    const whole = this.review?.turns.map(lineOf) ?? [];
    if (this.review?.game !== this.play.game || this.play.game.lines().some((line, number) => line !== whole[number])) this.review = null;
    this.refresh();
  }

  // another draw was chosen: the other panels do not depend on it
  drawChanged() {
    if (this.showing === "tab-plays") this.refresh();
  }

  show(tab) {
    this.showing = tab;
    this.refresh();
  }

  // the page is hidden
  stop() {
    this.visit++;
    this.searcher.stop();
  }

  refresh() {
    this.stop();
    this.turns();
    if (document.hidden) return;
    const visit = this.visit;
    const isOn = () => visit === this.visit;
    const panels = { "tab-turns": () => this.look(isOn), "tab-plays": () => this.plays(isOn), "tab-review": () => this.lost(isOn) };
    panels[this.showing]().catch((error) => isOn() && this.failed(error));
  }

  failed(error) {
    const panel = { "tab-turns": "side-turns", "tab-plays": "side-plays", "tab-review": "side-review" }[this.showing];
    id(panel).append(h("p", { class: "bad" }, messageOf(error)));
  }

  // search after a pause; true once it is done
  async search(isOn, body, onEvent) {
    await new Promise((done) => setTimeout(done, PAUSE));
    return isOn() && this.searcher.run({ puzzle: this.play.asked, ...body }, onEvent);
  }

  // what can be reached from here, for the bar above the row
  async look(isOn) {
    const { game } = this.play;
    if (!game.puzzle.solvable) return;
    const done = await this.search(isOn, { kind: "reach", turns: game.lines() }, (event) => event.event === "reach" && this.reachable(event.score));
    if (done) await this.bound(isOn);
  }

  // the score that no game exceeds, if the record book has none; once for each puzzle
  async bound(isOn) {
    const { asked, game } = this.play;
    const { puzzle } = game;
    const key = JSON.stringify(asked);
    if (!puzzle.bound && !this.bounds.has(key)) {
      await this.search(isOn, { kind: "bound" }, (event) => event.event === "bound" && this.bounds.set(key, event.bound));
    }
    puzzle.bound ??= this.bounds.get(key);
    this.reachable(0);
  }

  turns() {
    const { game } = this.play;
    let total = 0;
    const rows = game.turns.map((turn, number) => {
      const points = game.points(turn.tiles);
      total += points;
      return h("tr", {}, h("td", {}, String(number + 1)), h("td", { class: "word" }, shownTurn(turn)), h("td", {}, String(points)), h("td", {}, String(total)));
    });
    fill(
      id("side-turns"),
      game.turns.length
        ? [h("table", {}, head("turn", "play", "points", "total"), h("tbody", {}, rows)),
            h("button", { type: "button", class: "more", onclick: () => this.step() }, "Step through the game")]
        : [h("p", {}, "Draw tiles from both ends of the row until your rack is full: the slider says how many from the left. Then play a word."),
            h("p", {}, "Each tile scores its value times its place in the word: late places count most. Blanks stand for any letter. What you do not play stays on the rack."),
            h("p", {}, "The game ends when no word can be played. Play for the highest total.")],
    );
  }

  // the game so far, turn by turn
  step() {
    const { asked, game } = this.play;
    const whole = { puzzle: asked, text: game.lines().join("\n"), number: 0, name: "Your game" };
    showGames([whole], (lines) => this.play.goTo(game.turns, lines.length, "Redo brings the later turns back."));
  }

  async plays(isOn) {
    const { asked, game, left } = this.play;
    const lines = game.lines();
    if (!this.draws) {
      fill(id("side-plays"), h("p", {}, "Looking for plays …"));
      this.draws = ask("plays", { puzzle: asked, turns: lines });
    }
    const asking = this.draws;
    try {
      this.showPlays(await asking, isOn);
    } catch (error) {
      if (this.draws === asking) this.draws = null;
      throw error;
    }
    if (!isOn() || !game.puzzle.solvable) return;
    const draws = await asking;
    const done = await this.search(isOn, { kind: "reach", turns: lines, left }, (event) => {
      if (event.event === "reach" || event.event === "play") this.reachable(event.score);
      if (event.event !== "play") return;
      this.reach.set(event.line, Math.max(event.score, this.reach.get(event.line) ?? 0));
      // the rows stay in place, so that a click in progress is not lost
      if (this.order === "reach") this.showPlays(draws, isOn);
      else this.showReach();
    });
    if (done) await this.bound(isOn);
  }

  showPlays(draws, isOn) {
    if (!isOn()) return;
    const again = () => this.showPlays(draws, isOn);
    const column = (name, order, title) => {
      const sort = () => {
        this.order = order;
        again();
      };
      return h("th", { scope: "col", class: order === "word" ? "word" : null, "aria-sort": this.order === order ? ORDERS[order].way : null }, h("button", { type: "button", "data-key": `sort-${order}`, title, onclick: sort }, name));
    };
    const toggle = (event) => {
      this.everyDraw = event.target.checked;
      again();
    };
    const all = this.sorted(this.everyDraw ? draws : draws.filter((draw) => draw.left === this.play.left));
    this.cells = new Map(); // of what is reached, by line
    const panel = id("side-plays");
    const scroll = panel.scrollTop;
    refill(
      panel,
      h("label", {}, h("input", { type: "checkbox", "data-key": "every", checked: this.everyDraw, onchange: toggle }), " Plays of every draw"),
      h("table", {},
        h("thead", {}, h("tr", {},
          column("draw", "left", "tiles from the left"), column("play", "word", "by the alphabet"), column("points", "score", "the most points first"),
          h("th", { scope: "col", title: "what stays on the rack" }, "leave"), column("reaches", "reach", "a score that can be reached after it, as far as a quick search has found"))),
        h("tbody", {}, all.slice(0, MOST).map((play) => this.playRow(play)))),
      all.length ? null : h("p", {}, "No word can be played after this draw."),
    );
    panel.scrollTop = scroll;
    this.showReach();
  }

  showReach() {
    const most = Math.max(...[...this.cells.keys()].map((line) => this.reach.get(line) ?? 0));
    for (const [line, cell] of this.cells) {
      const reach = this.reach.get(line);
      if (reach) cell.textContent = String(reach);
      cell.classList.toggle("best", reach === most);
    }
  }

  sorted(draws) {
    const { key } = ORDERS[this.order];
    return draws
      .flatMap(({ left, plays }) => plays.map((play, number) => ({
        ...play, left, reach: this.reach.get(lineOf({ ...play, left })), isTried: left === this.play.left && number < TRIED,
      })))
      .sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : other.score - one.score));
  }

  playRow(play) {
    const line = lineOf(play);
    const cell = h("td", {}, play.isTried ? "…" : "");
    this.cells.set(line, cell);
    return h("tr", {},
      h("td", {}, String(play.left)),
      h("td", { class: "word" }, h("button", { type: "button", "data-key": line, onclick: () => this.play.suggest(play) }, shownTurn(play))),
      h("td", {}, String(play.score)),
      h("td", { class: "leave" }, play.leave || "–"),
      cell);
  }

  async lost(isOn) {
    const { game } = this.play;
    if (this.review) this.showLost();
    else if (game.turns.length) fill(id("side-review"), h("p", {}, "Looking for what each turn lost …"));
    else fill(id("side-review"), h("p", {}, "Play some turns first: then this shows what each of them lost."));
    if (this.review?.complete || !game.turns.length) return;
    // the game before turns were taken back, if a part of it is shown
    const turns = this.review?.turns ?? game.turns;
    await this.search(isOn, { kind: "review", turns: turns.map(lineOf) }, (event) => {
      if (event.event !== "review") return;
      this.review = { game, turns, fields: event, complete: event.complete };
      if (turns.length === game.turns.length) this.reachable(event.turns.at(-1).reachable);
      this.showLost();
    });
  }

  showLost() {
    const { turns: reviewed, fields } = this.review;
    const { turns, reachable } = fields;
    const figures = [reachable, ...turns.map((turn) => turn.reachable)];
    const rows = turns.map((turn, number) =>
      h("tr", { class: turn.lost >= 10 ? "much" : "" },
        h("td", {}, String(number + 1)),
        h("td", { class: "word" }, shownTurn(reviewed[number])),
        h("td", {}, turn.lost ? `−${turn.lost}` : "0"),
        h("td", { class: "word" }, turn.better
          ? h("button", { type: "button", "data-key": number, title: "Go back to this turn, and show the better play", onclick: () => this.goBack(number) }, shownTurn(turnOf(turn.better)))
          : "")));
    refill(
      id("side-review"),
      h("p", {}, `${turns.at(-1).total} points after ${turns.length} turn${turns.length === 1 ? "" : "s"}; at least ${reachable} could be reached. The curve shows what a quick search still reaches after each turn.`),
      chart([{ name: "reachable", points: figures.map((figure, turn) => [turn, figure]) }], { x: "turns", y: "points", click: (turn) => turn > 0 && this.goBack(turn - 1) }),
      h("table", {}, head("turn", "play", "lost", "better"), h("tbody", {}, rows)),
    );
  }

  goBack(number) {
    const { turns, fields } = this.review;
    const { better } = fields.turns[number];
    if (!better) return;
    const message = `Before turn ${number + 1}: this would have lost less. Redo brings your turns back.`;
    this.play.goTo(turns, number, message);
    this.play.suggest(turnOf(better));
    this.play.tell(message);
  }
}

export const shownTurn = (turn) => shown(turn.word, turn.tiles);
