// A Scrabble board: its premium squares and the tiles on it.

import { fill, h } from "./dom.js";

// what a square shows, what a screen reader says of it, and its class
const PREMIUMS = {
  "4xWS": ["4W", "quadruple word", "word3"],
  "3xWS": ["3W", "triple word", "word3"],
  "2xWS": ["2W", "double word", "word2"],
  star: ["★", "centre, double word", "word2"],
  "4xLS": ["4L", "quadruple letter", "letter3"],
  "3xLS": ["3L", "triple letter", "letter3"],
  "2xLS": ["2L", "double letter", "letter2"],
};
export const squareName = (row, column) => `${String.fromCharCode(65 + column)}${row + 1}`;
export const keyOf = (row, column) => `${row},${column}`;
// a blank on the board is a small letter
export const isBlank = (laid) => laid !== laid.toUpperCase();
export const blankText = (laid) => (isBlank(laid) ? `${laid.toUpperCase()}, a blank` : laid);

export class ScrabbleBoard {
  // squares: the names of the premiums, row by row; values: of the tiles; grid: whether the squares can be chosen
  constructor(squares, values, grid = false) {
    this.values = values;
    const role = grid ? "gridcell" : "cell";
    this.names = squares;
    this.cells = squares.map((names, row) =>
      names.map((_name, column) =>
        h("div", {
          role,
          class: "square",
          "data-row": row,
          "data-column": column,
          "data-key": grid && squareName(row, column),
          tabindex: grid ? "-1" : null,
        }),
      ),
    );
    const mark = (text) => h("span", { class: "edge", "aria-hidden": "true" }, text);
    this.root = h(
      "div",
      { class: "board", role: grid ? "grid" : "table", "aria-label": "The board", "data-size": squares.length },
      h(
        "div",
        { class: "line top", "aria-hidden": "true" },
        mark(""),
        squares.map((_, column) => mark(String.fromCharCode(65 + column))),
      ),
      this.cells.map((cells, row) => h("div", { class: "line", role: "row" }, mark(String(row + 1)), cells)),
    );
    this.root.style.setProperty("--squares", squares.length);
    this.show(new Map());
  }

  // tiles: by keyOf of the square, { tile, kind, spoken }: the tile as laid, classes, and more to say of it
  show(tiles) {
    this.cells.forEach((cells, row) =>
      cells.forEach((cell, column) => {
        const laid = tiles.get(keyOf(row, column));
        const state = JSON.stringify(laid ?? null);
        if (cell.dataset.state === state) return;
        cell.dataset.state = state;
        if (laid?.tile) this.showTile(cell, row, column, laid);
        else this.showSquare(cell, row, column, laid);
      }),
    );
  }

  showTile(cell, row, column, { tile, kind = "", spoken = "" }) {
    const value = isBlank(tile) ? 0 : (this.values[tile] ?? 0);
    cell.className = `square laid ${isBlank(tile) ? "blank" : ""} ${tile.length > 1 ? "long" : ""} ${kind}`;
    fill(
      cell,
      h("span", { class: "letter", "aria-hidden": "true" }, tile.toUpperCase()),
      isBlank(tile) ? null : h("sub", { "aria-hidden": "true" }, String(value)),
      h(
        "span.unseen",
        `${squareName(row, column)}: ${blankText(tile)}${isBlank(tile) ? "" : `, ${value}`}${spoken && `, ${spoken}`}`,
      ),
    );
  }

  showSquare(cell, row, column, { kind = "", spoken = "" } = {}) {
    const [sign, name, look] = PREMIUMS[this.names[row][column]] ?? ["", "", ""];
    cell.className = `square ${look} ${kind}`;
    fill(
      cell,
      h("span", { class: "premium", "aria-hidden": "true" }, sign),
      h("span.unseen", [squareName(row, column), name, spoken].filter(Boolean).join(", ")),
    );
  }
}
