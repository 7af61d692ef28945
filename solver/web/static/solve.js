// Strategies at work: layers and best scores, live, and two strategies as curves.

import { strategies } from "./api.js";
import { Searcher } from "./searcher.js";
import { chart } from "../view/chart.js";
import { button, fill, h } from "../view/dom.js";
import { counted, failure, id, VERBATIM } from "./page.js";
import { shownTurn } from "./turns.js";
import { turnOf } from "./game.js";
import { showGames } from "./show.js";

const STRATEGIES = [...strategies, ["", "Another one …"]];

class Lane {
  constructor(name, standard, solve) {
    this.name = name;
    this.solve = solve;
    this.searcher = new Searcher();
    this.menu = h(
      "select",
      { id: `strategy-${name}`, onchange: () => this.choose() },
      STRATEGIES.map(([value, label]) => h("option", { value, selected: value === standard }, label)),
    );
    this.strategy = h("input", {
      type: "text",
      "aria-label": "Strategy with its settings",
      placeholder: "beam:width=5000",
      value: standard,
      hidden: true,
      ...VERBATIM,
    });
    this.seconds = h("input", { type: "number", id: `seconds-${name}`, min: "1", max: "600", value: "20" });
    this.start = button("Start", () => this.run(), { class: "main" });
    this.stop = button("Stop", () => this.end("Stopped; the best game is kept."));
    this.take = button("Show this game", () => this.show());
    this.state = h("p", { role: "status" });
    this.progress = h("progress", { max: "1", value: "0", "aria-label": `Progress of ${name}` });
    this.game = h("ol.moves");
    this.curve = [];
    this.turns = null;
    this.box = h(
      "div.lane",
      h(
        "div.fields",
        h("label", { for: this.menu.id }, "Strategy"),
        this.menu,
        this.strategy,
        h("label.together", "Seconds", this.seconds),
      ),
      h("div.fields", this.start, this.stop, this.take),
      this.progress,
      this.state,
      this.game,
    );
    this.update();
  }

  // a strategy of the menu, or a field for another one
  choose() {
    this.strategy.hidden = this.menu.value !== "";
    if (this.menu.value) this.strategy.value = this.menu.value;
    else this.strategy.focus();
  }

  show() {
    const { asked } = this.solve.play;
    showGames([{ asked, lines: this.turns, name: `${this.searched}: ${this.best} points` }], (lines) =>
      this.solve.playOn(asked, lines),
    );
  }

  update() {
    this.start.disabled = this.searcher.running;
    this.stop.disabled = !this.searcher.running;
    this.take.disabled = !this.turns?.length;
  }

  end(message) {
    this.searcher.stop();
    this.state.textContent = message;
    this.update();
  }

  async run() {
    const { asked, game } = this.solve.play;
    if (this.solve.isSealed()) {
      this.state.textContent = "The computer plays a daily row once your game is over.";
      return;
    }
    if (!(Number(this.seconds.value) >= 1 && Number(this.seconds.value) <= 600)) {
      this.state.textContent = "Seconds: expected 1 to 600.";
      return;
    }
    this.curve = [];
    this.turns = null;
    this.progress.value = 0;
    this.searched = this.strategy.value.trim();
    this.state.textContent = "Starting …";
    const settings = { strategy: this.searched, seconds: Number(this.seconds.value) };
    const going = this.searcher.run("solve", asked, [], (event) => this.onEvent(event, game), settings);
    this.update();
    try {
      const done = await going;
      if (done) this.progress.value = this.progress.max;
      if (done) this.state.textContent = this.summary(settings.seconds);
    } catch (error) {
      fill(this.state, failure(error));
    }
    this.update();
  }

  summary(limit) {
    if (!this.turns?.length) return "Done: no word can be played.";
    const points = counted(this.best, "point");
    if (this.proven) return `Done: ${points}, the best possible.`;
    return this.took >= limit ? `The time is up: the best game so far has ${points}.` : `Done: ${points}.`;
  }

  onEvent(event, game) {
    if (event.event === "done") this.took = event.seconds;
    if (event.event === "waiting") {
      this.state.textContent = `Waiting: ${event.before} before this one.`;
    } else if (event.event === "better") {
      if (game !== this.solve.play.game) return;
      this.turns = event.turns;
      this.seen = event.seconds;
      const { known } = this.solve.play;
      known.learn(event.turns);
      if (typeof event.bound === "number") known.limit(event.bound);
      this.best = event.score;
      this.proven = event.bound !== undefined && event.bound !== null && event.bound <= event.score;
      if (event.score > 0) this.curve.push([event.seconds, event.score]);
      fill(
        this.game,
        event.turns.map((line) => h("li", shownTurn(turnOf(line)))),
      );
      this.solve.draw();
    } else if (event.event === "progress") {
      this.progress.max = event.total || 1;
      this.progress.value = event.done;
      this.seen = event.seconds;
      this.state.textContent = [
        counted(event.score, "point"),
        counted(event.racks, "rack"),
        `${event.seconds.toFixed(1)} s: ${event.label}`,
      ].join(", ");
    }
    this.update();
  }
}

export class Solve {
  // isSealed: returns whether good games are not to be shown yet
  constructor(play, playOn, isSealed) {
    Object.assign(this, { play, playOn, isSealed });
    this.lanes = [new Lane("first", "widening", this), new Lane("second", "beam", this)];
    this.picture = h("div", { id: "curves" });
    fill(
      id("view-solve"),
      h("h2", "Let the computer play this row"),
      h(
        "p",
        "A beam keeps the best positions of every length and is quick; widening runs wider and wider beams until the ",
        "time is up; exact proves the best score of short rows; greedy takes the best play of each turn.",
      ),
      h(
        "div.lanes",
        this.lanes.map((lane) => lane.box),
      ),
      this.picture,
    );
    this.draw();
  }

  // another puzzle
  reset() {
    for (const lane of this.lanes) {
      lane.end("");
      lane.curve = [];
      lane.turns = null;
      fill(lane.game);
      lane.update();
    }
    this.draw();
  }

  draw() {
    const curves = this.lanes
      .filter((lane) => lane.curve.length)
      .map((lane) => ({
        name: `${lane.name}: ${lane.searched}`,
        points: [...lane.curve, [Math.max(lane.seen ?? 0, lane.curve.at(-1)[0]), lane.curve.at(-1)[1]]],
      }));
    fill(
      this.picture,
      chart(curves, { x: "seconds", y: "best score", steps: true }) ??
        h("p.hint", "The best score by time appears here. Start both strategies to compare them."),
      h(
        "p.legends",
        curves.map((curve, number) => h("span", { class: `legend curve-${number}` }, `● ${curve.name}`)),
      ),
    );
  }
}
