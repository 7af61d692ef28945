// What stands beside the row: the turns so far, the best plays of a draw, and what each turn lost.

import { ask, Refused, Searcher } from "./api.js";
import { chart } from "../view/chart.js";
import { fill, h, head, shown } from "../view/dom.js";
import { id } from "./page.js";
import { turnOf } from "./game.js";
import { showGames } from "./show.js";

export class Beside {
  constructor(play, standing) {
    this.play = play;
    this.standing = standing;
    this.searcher = new Searcher();
    this.draws = null;
    this.everyDraw = false;
    this.sort = "score";
    this.reach = new Map(); // by line: what can be reached after it
    this.bounds = new Map(); // by row
    this.review = null;
    this.showing = "tab-turns";
  }

  // the position has changed
  changed() {
    this.draws = null;
    this.reach.clear();
    this.searcher.stop();
    this.review = null;
    this.refresh();
  }

  show(tab) {
    this.showing = tab;
    this.refresh();
  }

  refresh() {
    this.turns();
    if (this.showing === "tab-plays") this.plays();
    else if (this.showing === "tab-review") this.lost();
    else this.look();
  }

  // what can be reached from here, for the bar above the row
  async look() {
    const { asked, game } = this.play;
    this.searcher.stop();
    if (!game.puzzle.solvable || document.hidden) return;
    const lines = game.lines();
    await new Promise((done) => setTimeout(done, 400));
    if (lines.length !== game.turns.length || game !== this.play.game || this.searcher.running || this.showing !== "tab-turns") return;
    await this.searcher
      .run({ kind: "reach", puzzle: asked, turns: lines }, (event) => event.event === "reach" && this.standing(event.score, event.turns))
      .then((done) => done && this.bound())
      .catch(() => {});
  }

  // the score that no game exceeds, of a row whose record tells none; once for each row
  async bound() {
    const { asked, game } = this.play;
    const { puzzle } = game;
    if (!puzzle.bound && !this.bounds.has(puzzle.row)) {
      await this.searcher.run({ kind: "bound", puzzle: asked }, (event) => event.event === "bound" && this.bounds.set(puzzle.row, event.bound)).catch(() => {});
    }
    puzzle.bound ??= this.bounds.get(puzzle.row);
    this.standing(0, null);
  }

  turns() {
    const { game } = this.play;
    let total = 0;
    const lines = game.turns.map((turn, number) => {
      const points = game.points(turn.tiles);
      total += points;
      return h("tr", {}, h("td", {}, String(number + 1)), h("td", { class: "word" }, shownTurn(turn)), h("td", {}, String(points)), h("td", {}, String(total)));
    });
    fill(
      id("side-turns"),
      game.turns.length
        ? [h("table", {}, head("", "play", "points", "total"), h("tbody", {}, lines)),
            h("button", { type: "button", class: "more", onclick: () => this.step() }, "Step through the game")]
        : h("div", { class: "rules" },
            h("p", {}, "Draw tiles from both ends of the row until your rack is full: the slider says how many from the left. Then play a word."),
            h("p", {}, "Each tile scores its value times its place in the word: late places count most. Blanks stand for any letter and score nothing. What you do not play stays on the rack."),
            h("p", {}, "The game ends when no word can be played. Play for the highest total.")),
    );
  }

  // the game so far, turn by turn
  step() {
    const { asked, game } = this.play;
    const whole = { puzzle: asked, text: game.lines().join("\n"), number: 0, name: "Your game" };
    showGames([whole], (lines) => {
      while (game.turns.length > lines.length) game.undo();
      this.play.settle("Redo brings the later turns back.");
    });
  }

  async plays() {
    const { asked, game } = this.play;
    const lines = game.lines();
    if (!this.draws) {
      fill(id("side-plays"), h("p", {}, "Looking for plays …"));
      try {
        const draws = await ask("plays", { puzzle: asked, turns: lines });
        if (game !== this.play.game || lines.length !== game.turns.length) return;
        this.draws = draws;
      } catch (error) {
        fill(id("side-plays"), h("p", { class: "bad" }, error instanceof Refused ? error.message : "The server does not answer."));
        return;
      }
    }
    this.showPlays();
    if (game.puzzle.solvable) this.search(lines);
  }

  async search(lines) {
    const { asked, left } = this.play;
    try {
      const done = await this.searcher.run({ kind: "reach", puzzle: asked, turns: lines, left }, (event) => {
        if (event.event === "reach") this.standing(event.score, event.turns);
        if (event.event === "play") {
          this.reach.set(event.line, Math.max(event.score, this.reach.get(event.line) ?? 0));
          this.standing(event.score, null);
        }
        if (event.event === "play" || event.event === "reach") this.showPlays();
      });
      if (done) await this.bound();
    } catch (error) {
      id("side-plays").append(h("p", { class: "bad" }, error.message));
    }
  }

  showPlays() {
    if (!this.draws || this.showing !== "tab-plays") return;
    const draws = this.everyDraw ? this.draws : this.draws.filter((draw) => draw.left === this.play.left);
    const all = draws.flatMap((draw) =>
      draw.plays.map((play) => ({ ...play, left: draw.left, reach: this.reach.get(`${draw.left} ${play.tiles} ${play.word}`) })));
    const key = { score: (play) => -play.score, left: (play) => play.left, reach: (play) => -(play.reach ?? 0), word: (play) => play.word }[this.sort];
    all.sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : other.score - one.score));
    const most = Math.max(...all.map((play) => play.reach ?? 0));
    const header = (name, by, title) =>
      h("th", { "aria-sort": this.sort === by ? "other" : null }, h("button", { type: "button", title, onclick: () => { this.sort = by; this.showPlays(); } }, name));
    const scroll = id("side-plays").scrollTop;
    fill(
      id("side-plays"),
      h("label", {}, h("input", { type: "checkbox", checked: this.everyDraw, onchange: (event) => { this.everyDraw = event.target.checked; this.showPlays(); } }), " of every draw"),
      h("table", {},
        h("thead", {}, h("tr", {}, header("draw", "left", "tiles from the left"), header("play", "word", "by the alphabet"), header("points", "score", "the most points first"), h("th", {}, "leave"), header("reaches", "reach", "what a quick search reaches after it"))),
        h("tbody", {}, all.slice(0, 60).map((play) =>
          h("tr", {},
            h("td", {}, String(play.left)),
            h("td", { class: "word" }, h("button", { type: "button", onclick: () => this.play.suggest(play) }, shownTurn(play))),
            h("td", {}, String(play.score)),
            h("td", { class: "leave" }, play.leave || "–"),
            h("td", { class: play.reach && play.reach === most ? "best" : "" }, play.reach ? String(play.reach) : "…"))))),
      all.length ? null : h("p", {}, "No word can be played after this draw."),
    );
    id("side-plays").scrollTop = scroll;
  }

  async lost() {
    const { asked, game } = this.play;
    if (!game.turns.length) {
      fill(id("side-review"), h("p", {}, "Play some turns first: then this shows what each of them lost."));
      return;
    }
    if (this.review) {
      this.showLost();
      return;
    }
    fill(id("side-review"), h("p", {}, "Looking for what each turn lost …"));
    try {
      await this.searcher.run({ kind: "review", puzzle: asked, turns: game.lines() }, (event) => {
        if (event.event !== "review") return;
        this.review = event;
        this.standing(event.turns.at(-1).reachable, null);
        this.showLost();
      });
    } catch (error) {
      fill(id("side-review"), h("p", { class: "bad" }, error.message));
    }
  }

  showLost() {
    if (this.showing !== "tab-review") return;
    const { turns, reachable } = this.review;
    const figures = [reachable, ...turns.map((turn) => turn.reachable)];
    const rows = turns.map((turn, number) =>
      h("tr", { class: turn.lost >= 10 ? "much" : "" },
        h("td", {}, String(number + 1)),
        h("td", { class: "word" }, shownTurn(turnOf(turn.line))),
        h("td", {}, turn.lost ? `−${turn.lost}` : "0"),
        h("td", { class: "word" }, turn.better
          ? h("button", { type: "button", title: "Go back to this turn, and show the better play", onclick: () => this.goBack(number, turn.better) }, shownTurn(turnOf(turn.better)))
          : "")));
    fill(
      id("side-review"),
      h("p", {}, `${this.play.game.score} points; ${reachable} could be reached. The curve shows what could still be reached after each turn.`),
      chart([{ name: "reachable", points: figures.map((figure, turn) => [turn, figure]) }], { x: "turns", y: "points", click: (turn) => turn > 0 && turns[turn - 1].better && this.goBack(turn - 1, turns[turn - 1].better) }),
      h("table", {}, head("turn", "played", "lost", "better"), h("tbody", {}, rows)),
    );
  }

  goBack(number, better) {
    while (this.play.game.turns.length > number) this.play.game.undo();
    const { review } = this;
    this.play.settle(`Before turn ${number + 1}: this would have lost less. Redo brings your turns back.`);
    this.review = review;
    this.play.suggest(turnOf(better));
    this.play.tell(`Before turn ${number + 1}: this would have lost less. Redo brings your turns back.`);
  }
}

export const shownTurn = (turn) => shown(turn.word, turn.tiles);
