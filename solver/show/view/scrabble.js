// A Scrabble game, event by event: the board, the racks, the unseen tiles, the lead, and what the referee says.

import { ScrabbleBoard, keyOf } from "./board.js";
import { leadChart } from "./chart.js";
import { fill, h, head, tile } from "./dom.js";
import { Steps } from "./steps.js";

const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

export class ScrabbleGame {
  // root: an element to fill; game: see solver/scrabble/steps.py; other arguments: see Games
  constructor(root, game, { keys = root, moved = () => {}, prefix = "" } = {}) {
    this.game = game;
    this.moved = moved;
    this.root = root;
    this.go = this.go.bind(this);
    this.steps = new Steps("move", game.events.length, this.go, { keys, prefix });
    this.board = new ScrabbleBoard(game.squares, game.values);
    this.parts = {};
    const [state, ...more] = game.verdict.split(";");
    const part = (name, kind, attributes = {}) => (this.parts[name] = h(kind, { "data-part": name, ...attributes }));
    fill(
      root,
      this.steps.root,
      h(
        "p.verdict",
        h("strong", { class: game.valid ? "good" : "bad" }, state),
        h("span.quiet", `${more.join(";")}. Keys: ← and →.`),
      ),
      game.faults.length > 0 &&
        h(
          "ul.bad",
          game.faults.map((fault) => h("li", fault)),
        ),
      game.note && h("p", { class: "quiet note" }, game.note),
      h(
        "div.scrabble",
        h(
          "section",
          { class: "stand", "aria-label": "The position" },
          part("players", "ol", { class: "players", "aria-label": "Players, totals and racks" }),
          h("p.move", part("move", "span", { class: "total" }), " ", part("words", "span", { class: "quiet" })),
          part("remarks", "div", { role: "status" }),
          this.board.root,
        ),
        h(
          "div.figures",
          h(
            "section",
            h("h2", "Unseen: ", part("bag", "span", { class: "quiet" })),
            part("tiles", "p", { class: "pool" }),
          ),
          h("section", h("h2", "Lead"), leadChart(this.curves(), this.go), h("p.quiet", this.legend())),
          part("moves", "section", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All moves" }),
        ),
      ),
    );
    fill(this.parts.moves, this.table());
  }

  // best: by number of the move, how it compares with the best one
  compare(best) {
    for (const [number, text] of Object.entries(best)) this.game.events[number - 1].best = text;
    fill(this.parts.moves, this.table());
    this.go(this.steps.at);
  }

  // the totals of all players after each event, from 0 events on
  totals() {
    return [this.game.players.map(() => 0), ...this.game.events.map((event) => event.totals)];
  }

  // of two players the lead of the first; of several, the lead of each over the mean of the others
  curves() {
    const totals = this.totals();
    const { players } = this.game;
    const shown = players.length === 2 ? players.slice(0, 1) : players;
    return shown.map(({ nick }, at) => ({
      name: nick,
      leads: totals.map((sums) =>
        Math.round(sums[at] - (sums.reduce((all, sum) => all + sum, 0) - sums[at]) / Math.max(1, players.length - 1)),
      ),
    }));
  }

  legend() {
    const { players } = this.game;
    if (players.length === 2) return `How far ${players[0].nick} is ahead of ${players[1].nick}.`;
    return [
      "How far each is ahead of the mean of the others: ",
      players.map(({ nick }, at) => h("span", { class: `legend curve-${at}` }, `● ${nick} `)),
    ];
  }

  table() {
    const rows = this.game.events.map((event, at) => [
      h(
        "tr",
        { "data-turn": at + 1, onclick: () => this.go(at + 1) },
        h(
          "td",
          h(
            "button",
            { type: "button", "aria-label": `Show move ${at + 1}`, onclick: () => this.go(at + 1) },
            String(at + 1),
          ),
        ),
        h("td.word", this.game.players[event.player].nick),
        h("td", { class: "word mono" }, event.rack.join("")),
        h("td", { class: "word mono" }, event.move),
        h("td", signed(event.score)),
        h("td", event.total),
      ),
      remarksOf(event).map(([kind, text]) => h("tr", h("td", { colspan: 6, class: `word wide ${kind}` }, text))),
    ]);
    return h("table.turns", head("move", "who", "rack", "play", "score", "total"), h("tbody", rows));
  }

  go(step) {
    const { game, parts } = this;
    this.steps.take(step);
    const { at } = this.steps;
    const event = game.events[at - 1];
    this.board.show(event ? laidAfter(event) : new Map());
    const totals = this.totals()[at];
    fill(
      parts.players,
      game.players.map((player, number) => this.player(player, number, event, totals[number])),
    );
    if (event) {
      parts.move.textContent = `${game.players[event.player].nick} ${event.move}, ${signed(event.score)}`;
      parts.words.textContent = event.words.length > 1 ? `also forms ${event.words.slice(1).join(", ")}` : "";
      fill(
        parts.remarks,
        remarksOf(event).map(([kind, text]) => h("p", { class: kind }, text)),
      );
      const count = Object.values(event.unseen).reduce((all, number) => all + number, 0);
      parts.bag.textContent = `${count} tiles, ${event.bag} of them in the bag`;
      fill(
        parts.tiles,
        Object.entries(event.unseen).map(([kind, number]) =>
          h("span", kind, number > 1 && h("small", `×${number}`), " "),
        ),
      );
    }
    for (const marked of this.root.querySelectorAll("[data-turn]"))
      marked.classList.toggle("current", Number(marked.dataset.turn) === at);
    this.moved(at);
  }

  player({ name }, number, event, total) {
    const moves = event?.player === number;
    const played = moves ? event.laid.map(([, , laid]) => (laid === laid.toUpperCase() ? laid : "?")) : [];
    const rack = event?.racks[number] ?? [];
    return h(
      "li",
      { class: moves ? "current" : "", "aria-current": moves ? "true" : null },
      h("span.name", name),
      h("strong", total),
      h(
        "span.held",
        rack.length === 0
          ? h("span.quiet", "rack not given")
          : rack.map((letter) => {
              const gone = played.indexOf(letter);
              if (gone >= 0) played.splice(gone, 1);
              return tile(letter, this.game.values[letter] ?? 0, "span", { class: gone >= 0 ? "played" : "" });
            }),
      ),
    );
  }
}

// the tiles on the board after an event, with those that it lays or takes back marked
function laidAfter({ grid, laid, lifted }) {
  const tiles = new Map(grid.map(([row, column, tile]) => [keyOf(row, column), { tile }]));
  for (const [row, column, tile] of laid) tiles.set(keyOf(row, column), { tile, kind: "fresh", spoken: "just laid" });
  for (const [row, column] of lifted) tiles.set(keyOf(row, column), { kind: "lifted", spoken: "taken back" });
  return tiles;
}

// [class, text] of each thing to say about an event
const remarksOf = ({ best, claim, faults, remarks, note }) => [
  ...faults.map((text) => ["bad", text]),
  ...(claim ? [["bad", `The file claims ${signed(claim[0])}, ${claim[1]} in all.`]] : []),
  ...remarks.map((text) => ["phony", text]),
  ...[best, note].filter(Boolean).map((text) => ["quiet", text]),
];
