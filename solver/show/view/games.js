// One game, or several side by side, turn by turn: the row, the rack, the play and what is kept; all turns; the scores.

import { chart, scoreChart } from "./chart.js";
import { button, cells, column, fill, h, line, shown, table, tile } from "./dom.js";
import { Steps } from "./steps.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
export const hue = (turn) => Math.round((turn - 1) * 137.5) % 360;
// a turn as a line of an answer
const tilesOf = (turn) => turn.play.map((played) => played.tile).join("");
export const lineOf = (turn) => `${turn.count} ${tilesOf(turn)} ${turn.word}`;
const where = (fault) => (fault.line ? `line ${fault.line}: ` : ""); // line 0 is the answer as a whole
const faultText = (fault) => `${where(fault)}${fault.code}: ${fault.message}`;
const RULES =
  "Each turn draws tiles from the ends of the row until the rack is full, then plays a word. " +
  "A tile scores its place in the word times its value.";

export class Games {
  // root: an element to fill; games: `Game.as_dict` of each; analysis: what one game's turns lost, or null;
  // keys: the element whose arrow keys step; moved: called with the turn that is shown, from 1
  constructor(root, games, { analysis = null, keys = root, moved = () => {}, prefix = "" } = {}) {
    this.last = Math.max(0, ...games.map((game) => game.turns.length));
    this.moved = moved;
    this.go = this.go.bind(this);
    this.boards = games.map((game, number) => new Board(game, games.length > 1, number));
    this.steps = new Steps("turn", this.last, this.go, { keys, prefix });
    this.games = games;
    this.standing = games.length > 1 && h("p", { class: "standing", role: "status" });
    fill(
      root,
      this.steps.root,
      h("p", { class: "quiet rules" }, RULES, " Keys: ← and →."),
      this.standing,
      h(
        "div",
        { class: games.length > 1 ? "stage several" : "stage" },
        this.boards.map((board) => board.root),
        h("div.figures", this.figures(games, analysis)),
      ),
    );
    this.root = root;
  }

  // the turn that is shown, from 1
  get at() {
    return this.steps.at;
  }

  go(turn) {
    const moving = this.steps.take(turn);
    for (const board of this.boards) board.show(this.at, moving);
    if (this.standing) this.standing.textContent = `${this.compared(this.at)} ${this.parting()}`;
    for (const marked of this.root.querySelectorAll("[data-turn]"))
      marked.classList.toggle("current", Number(marked.dataset.turn) === this.at);
    this.moved(this.at);
  }

  figures(games, analysis) {
    const score = scoreChart(
      games.map((game) => game.turns.map((turn) => turn.score)),
      hue,
      this.go,
    );
    const one = games.length === 1;
    const legend = one
      ? "Bars: the points of a turn, by the left axis. Line: the total, by the right axis."
      : ["Totals: ", games.map((game, number) => h("span", { class: `legend curve-${number}` }, `● ${game.file} `))];
    return [
      analysis
        ? this.reached(games[0], analysis)
        : scrolled("All turns", "section", one ? this.turns(games[0]) : this.differences(games)),
      h("section", h("h2", "Score by turn"), score, h("p.quiet", legend)),
    ];
  }

  reached(game, { first_turn, reachable, summary, turns }) {
    const first = first_turn - 1;
    const points = [reachable, ...turns.map((turn) => turn.reachable)].map((figure, turn) => [first + turn, figure]);
    const rows = turns.map((turn, at) =>
      this.line(first + at, [
        h("td.word", shownLine(lineOf(game.turns[first + at]))),
        game.turns[first + at].total,
        turn.reachable,
        h("td", { class: turn.lost ? "bad" : null }, turn.lost),
        h("td.word", turn.better && shownLine(turn.better)),
      ]),
    );
    const names = ["turn", "play", "total", "reachable", "lost", "better"];
    return h(
      "section",
      h("h2", "What could still be reached"),
      h("p", summary),
      chart([{ name: "reachable", points }], { x: "turns", y: "points that can be reached", click: this.go }),
      scrolled("What each turn lost", "div", table(names, rows, { class: "turns" })),
    );
  }

  turns(game) {
    const rows = game.turns.map((turn, number) => [
      this.line(number, [
        `${turn.left.length} + ${turn.right.length}`,
        h(
          "td.word.mono",
          rackOf(turn)
            .map((place) => game.row[place])
            .sort()
            .join(""),
        ),
        h("td.word.mono", tilesOf(turn)),
        h("td.word", turn.word),
        turn.score,
        turn.total,
      ]),
      turn.violations.map((fault) => h("tr", h("td.word.wide.bad", { colspan: 7 }, faultText(fault)))),
    ]);
    return table(["turn", "draw", "rack", "play", "word", "points", "total"], rows, { class: "turns single" });
  }

  // the turns of several games side by side, and by how much the first one is ahead
  differences(games) {
    const rows = Array.from({ length: this.last }, (_, number) => {
      const lines = games.map((game) => game.turns[number] && lineOf(game.turns[number]));
      const differs = lines.some((line) => line !== lines[0]);
      const difference = total(games[0], number + 1) - total(games[1], number + 1);
      const turns = games.map((game) => turnCells(game.turns[number]));
      return this.line(number, [turns, signed(difference)], differs ? "differs" : null);
    });
    const names = games.map((game) => h("th.file", { scope: "colgroup", colspan: 3 }, game.file));
    const columns = ["turn", ...games.flatMap(() => ["play", "points", "total"]), "difference"];
    return h("table.turns.several", h("thead", line("", names, ""), h("tr", columns.map(column))), h("tbody", rows));
  }

  // how the first two games stand after a turn
  compared(turn) {
    const [one, other] = this.games.map((game) => total(game, turn));
    return `After turn ${turn}: ${one} against ${other} (${signed(one - other)}).`;
  }

  // where they go different ways
  parting() {
    const [one, other] = this.games;
    const number = one.turns.findIndex((turn, at) => !other.turns[at] || lineOf(turn) !== lineOf(other.turns[at]));
    if (number < 0)
      return other.turns.length > one.turns.length
        ? `The games agree until ${one.file} ends, after turn ${one.turns.length}.`
        : "The games are the same.";
    if (!other.turns[number]) return `The games agree until ${other.file} ends, after turn ${number}.`;
    const lines = [one, other].map((game) => `“${lineOf(game.turns[number])}”`);
    return `The games part in turn ${number + 1}: ${lines.join(" and ")}.`;
  }

  line(number, values, kind = null) {
    const go = () => this.go(number + 1);
    const show = button(number + 1, go, { "aria-label": `Show turn ${number + 1}` });
    return h("tr", { "data-turn": number + 1, class: kind, onclick: go }, cells(show, values));
  }
}

// what can be scrolled by keys, too
const scrolled = (name, kind, content) =>
  h(kind, { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, content);
const rackOf = (turn) => [...turn.held, ...turn.left, ...turn.right];

// what a game has scored after a turn, or at its end
const total = (game, turn) => game.turns[Math.min(turn, game.turns.length) - 1]?.total ?? 0;
const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

// a turn as people read it: left draw and word, with its blanks marked
const shownLine = (line) => {
  const [left, tiles, word] = line.split(" ");
  return [`${left} `, shown(word, tiles)];
};

const turnCells = (turn) =>
  turn
    ? [h("td.word", { title: lineOf(turn) }, shown(turn.word, tilesOf(turn))), turn.score, turn.total]
    : ["", "", ""];

// the row and the rack of one game
class Board {
  constructor(game, named, number) {
    Object.assign(this, { game, named });
    this.drawn = new Map();
    game.turns.forEach((turn, at) => {
      for (const side of ["left", "right"]) for (const place of turn[side]) this.drawn.set(place, [at + 1, side]);
    });
    this.root = h("article.game", { "data-game": number, "aria-label": game.file });
    // as many tiles fit into a line as a rack holds
    this.root.style.setProperty("--rack", Math.max(10, ...game.turns.map((turn) => rackOf(turn).length)));
  }

  // the game and its faults
  heading() {
    const { game, named } = this;
    const fault = game.first;
    return [
      named && h("h2", game.file),
      h(
        "p",
        h("span.total", `${game.score} points`),
        ` in ${game.turns.length} turn${game.turns.length === 1 ? "" : "s"} on ${game.puzzle}: `,
        game.valid ? h("strong.good", "valid") : [h("strong.bad", "invalid"), `, ${game.faults}`],
      ),
      fault && h("p.bad", `First fault, ${fault.line ? "in " : ""}${faultText(fault)}`),
      game.violations.length > 0 &&
        h(
          "section.bad",
          this.label("Faults of the file"),
          h(
            "ul",
            game.violations.map((one) => h("li", faultText(one))),
          ),
        ),
    ];
  }

  label(...children) {
    return h(this.named ? "h3.label" : "h2.label", children);
  }

  show(step, moving) {
    const { game, root } = this;
    const reached = Math.min(step, game.turns.length);
    const turn = game.turns[reached - 1];
    const before = new Map(
      [...root.querySelectorAll(".row li")].map((item) => [Number(item.dataset.place), item.getBoundingClientRect()]),
    );
    const part = (name, kind, content) => h(kind, { "data-part": name }, content);
    const tiles = (name, label, items) =>
      h("ol", { class: `tiles ${name}`, "data-part": name, "aria-label": label }, items);
    const held = (places = []) => places.map((place) => this.rackTile(place, reached));
    const bonus = turn?.bonus ? `, ${turn.bonus} of them for a full rack` : "";
    fill(
      root,
      this.heading(),
      this.label(
        "Row: ",
        part(
          "draw",
          "span.quiet",
          turn && `${turn.left.length} drawn from the left, ${turn.right.length} from the right`,
        ),
      ),
      tiles(
        "row",
        "The row",
        [...game.row].map((_, place) => this.rowTile(place, reached)),
      ),
      this.label("Rack"),
      tiles("rack", "Rack before the play", held(turn && rackOf(turn))),
      this.label(
        "Play: ",
        part("sum", "span.sum", turn && `${turn.word}: ${turn.score} points${bonus}, ${turn.total} in all`),
      ),
      tiles(
        "play",
        "The play, place times value under each tile",
        turn?.play.map((played) => this.playedTile(played)),
      ),
      h(
        "div.bad",
        { "data-part": "faults", role: "status" },
        turn?.violations.map((fault) => h("p", faultText(fault))),
      ),
      this.label("Kept"),
      tiles("leave", "Rack after the play", turn?.leave.length === 0 ? h("li.quiet", "nothing") : held(turn?.leave)),
    );
    if (turn && moving && step === reached) this.fly(turn, before);
  }

  rowTile(place, reached) {
    const [turn, side] = this.drawn.get(place) ?? [Infinity];
    if (turn > reached) return this.tile(place, "", "in the row");
    return this.tile(place, turn === reached ? `now ${side}` : "gone", `drawn from the ${side} in turn ${turn}`, turn);
  }

  rackTile(place, reached) {
    const [turn, side] = this.drawn.get(place);
    if (turn === reached) return this.tile(place, side, `just drawn from the ${side}`, turn);
    return this.tile(place, "drawn", `held since turn ${turn}`, turn);
  }

  tile(place, kind, where, turn = null) {
    const letter = this.game.row[place];
    const value = this.game.values[place];
    const spoken = `${letter === "?" ? "blank" : letter}, value ${value}, ${where}`;
    const look = { class: kind, title: where, "data-place": place, hue: turn && hue(turn) };
    return tile(letter, value, "li", look, spoken);
  }

  playedTile(played) {
    const points = played.position * played.value;
    const blank = played.tile === "?";
    const missing = played.place === null;
    const [turn] = this.drawn.get(played.place) ?? [0];
    const how = `${blank ? " as a blank" : ""}${missing ? ", not on the rack" : ""}`;
    const spoken = `${played.letter}${how}: position ${played.position} times value ${played.value} is ${points}`;
    const title = missing ? "not on the rack" : `${blank ? "a blank, " : ""}drawn in turn ${turn}`;
    const look = { class: missing ? "phantom" : "drawn", title, hue: hue(turn) };
    return h(
      "li",
      tile(played.tile, played.value, "span", look, spoken, played.letter),
      h("span", { "aria-hidden": "true" }, `${played.position}×${played.value}`),
      h("strong", { "aria-hidden": "true" }, points),
    );
  }

  // drawn tiles start where they lay in the row and fly to the rack
  fly(turn, before) {
    const fresh = new Set([...turn.left, ...turn.right]);
    for (const item of this.root.querySelectorAll(".rack li")) {
      const start = before.get(Number(item.dataset.place));
      if (!fresh.has(Number(item.dataset.place)) || !start || still.matches) continue;
      const end = item.getBoundingClientRect();
      item.animate(
        [
          { transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)`, zIndex: 1 },
          { transform: "none", zIndex: 1 },
        ],
        { duration: 450, easing: "ease-out" },
      );
    }
  }
}
