// What the Scrabble page shows of the game and of the move in progress.

import { ScrabbleBoard, keyOf } from "../../view/board.js";
import { button, fill, h, tile as tileOf } from "../../view/dom.js";
import { id } from "../page.js";

export function headingOf({ busy, stage, player, position }, exchanging = false) {
  if (busy) return busy;
  const sentences = {
    over: position.result,
    cover: `${player.name} is next.`,
    wait: `${player.name} is next.`,
    accept: `${player.name}: the game ends here${position.challenge ? ", unless you challenge the last play" : ""}.`,
    move: exchanging ? `${player.name}: choose the tiles to exchange.` : `${player.name} to move.`,
  };
  return sentences[stage];
}

export class View {
  #board = null;

  // acts: returns the buttons under the rack, see `actsOf` of main.js
  constructor(table, draft, acts) {
    Object.assign(this, { table, draft, acts });
  }

  squares() {
    return this.#board.cells;
  }

  focusSquare() {
    const [row, column] = this.draft.focus;
    this.#board.cells[row][column].focus({ preventScroll: true });
  }

  draw() {
    const { position } = this.table;
    if (!position) return;
    this.players();
    this.board();
    this.rack();
    this.actions();
    this.message();
    this.unseen();
    const moves = position.events.map(({ player, text, score, total }) =>
      h(
        "li",
        `${position.players[player].name} ${text} `,
        h("span.points", `${score < 0 ? "−" : "+"}${Math.abs(score)}, ${total}`),
      ),
    );
    // the last one on top, in sight
    fill(id("moves"), moves.length > 0 && [h("h2", "Moves"), h("ol", { reversed: true }, moves.reverse())]);
  }

  players() {
    const { position, stage } = this.table;
    fill(
      id("players"),
      position.players.map((player, at) =>
        h(
          "li",
          {
            class: at === position.turn && stage !== "over" ? "current" : "",
            "aria-current": at === position.turn ? "true" : null,
          },
          h("span", { class: "name", title: player.name }, player.name),
          h("span.left", player.rack ? player.rack : player.count < 7 && `${player.count} left`),
          h("strong", player.total),
        ),
      ),
    );
  }

  board() {
    const { grid, last, squares, values } = this.table.position;
    const { focus, hand, way } = this.draft;
    if (!this.#board) {
      this.#board = new ScrabbleBoard(squares, values, true);
      fill(id("board"), this.#board.root);
    }
    this.#board.values = values;
    const tiles = new Map();
    for (const [row, column, tile] of grid) tiles.set(keyOf(row, column), { tile });
    for (const at of last) Object.assign(tiles.get(keyOf(...at)), { kind: "fresh", spoken: "just laid" });
    for (const { at, letter } of hand.order)
      tiles.set(keyOf(...at), { tile: letter, kind: "mine", spoken: "not played yet" });
    if (way) {
      const key = keyOf(...focus);
      const under = tiles.get(key) ?? {};
      const spoken = [under.spoken, way].filter(Boolean).join(", ");
      tiles.set(key, { ...under, kind: `${under.kind ?? ""} cursor ${way}`, spoken });
    }
    this.#board.show(tiles);
    this.#board.cells.forEach((cells, row) =>
      cells.forEach((cell, column) => {
        cell.tabIndex = row === focus[0] && column === focus[1] ? 0 : -1;
        cell.toggleAttribute("data-tile", Boolean(hand.at(row, column)));
      }),
    );
  }

  rack() {
    const { stage, player, position } = this.table;
    const { hand } = this.draft;
    const count = stage === "cover" ? player.count : 0;
    const backs = Array.from({ length: count }, (_, at) =>
      h("span", { class: "tile back", "data-key": `back-${at}`, "aria-hidden": "true" }),
    );
    const tiles = hand.tiles.map(
      (tile, at) =>
        tile.at === null &&
        tileOf(tile.tile, position.values[tile.tile] ?? 0, "button", {
          type: "button",
          "data-tile": at,
          "data-key": `tile-${at}`,
          class: hand.chosen.has(tile) ? "chosen" : "",
          "aria-pressed": String(hand.chosen.has(tile)),
        }),
    );
    fill(id("rack"), [...backs, ...tiles]);
  }

  actions() {
    const buttons = this.acts().map(({ key, text, run, disabled }) =>
      button(text, run, {
        "data-key": key,
        class: key === "main" ? "main" : null,
        disabled: disabled || Boolean(this.table.busy),
      }),
    );
    fill(id("actions"), buttons);
  }

  message() {
    const { exchanging, notice, play } = this.draft;
    const [text, isBad] = notice;
    const preview = play && !text ? `${play.place} ${play.words.join(", ")}: ${play.score} points` : "";
    const heading = h("strong", headingOf(this.table, exchanging));
    fill(id("message"), heading, " ", h("span", { class: isBad ? "bad" : "" }, text || preview));
  }

  unseen() {
    const { position, stage } = this.table;
    const all = Object.values(position.unseen).reduce((sum, count) => sum + count, 0);
    const kinds = Object.entries(position.unseen).map(([kind, count]) =>
      h("span", kind, count > 1 && h("small", `×${count}`), " "),
    );
    const heading = `Unseen: ${position.bag} in the bag, ${all - position.bag} on the other racks`;
    fill(id("unseen"), stage !== "cover" && stage !== "over" && [h("h2", heading), h("p.pool", kinds)]);
  }
}
