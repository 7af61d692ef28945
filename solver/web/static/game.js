// A game in progress, without words and faults, which the referee judges.

import * as rules from "./rules.js";

const { afterAll, BLANK, draw, drawSize, lineOf, score, sorted, without } = rules;
export const { turnOf } = rules;

export class Game {
  // puzzle: the answer of `puzzleOf`; turns: [{ left, tiles, word }]
  constructor(puzzle, turns = []) {
    this.puzzle = puzzle;
    this.turns = turns;
    this.undone = [];
  }

  value(letter) {
    return this.puzzle.values[letter] ?? 0;
  }

  // the score of tiles laid down; ? for blanks
  points(tiles) {
    return score(this.puzzle, tiles);
  }

  get score() {
    return this.scoreAfter(this.turns.length);
  }

  // the score of the first `count` turns
  scoreAfter(count) {
    return this.turns.slice(0, count).reduce((total, turn) => total + this.points(turn.tiles), 0);
  }

  // the position after `count` turns, see rules.js
  at(count = this.turns.length) {
    return afterAll(this.puzzle, this.turns.slice(0, count));
  }

  // the number of tiles that the next turn draws after `count` turns
  drawSize(count) {
    return drawSize(this.puzzle, this.at(count));
  }

  // whether the next draw takes the rest of the row, so that there is nothing to choose
  get isLastDraw() {
    const { start, end } = this.at();
    return this.drawSize() === end - start;
  }

  // the position after `count` turns, by all that the rest of the game depends on: the ends of the row, and the leave
  state(count) {
    const { start, end, leave } = this.at(count);
    return `${start === end ? "end" : `${start},${end}`},${sorted(leave)}`;
  }

  // the next draw, of `left` tiles from the left, see rules.js
  draw(left) {
    return draw(this.puzzle, this.at(), left);
  }

  play(turn) {
    this.turns = [...this.turns, turn];
    this.undone = [];
  }

  undo() {
    if (!this.turns.length) return;
    this.undone.push(this.turns.at(-1));
    this.turns = this.turns.slice(0, -1);
  }

  redo() {
    if (this.undone.length) this.turns = [...this.turns, this.undone.pop()];
  }

  // go to the position after `count` of these turns; redo plays the others again
  goTo(turns, count) {
    this.turns = turns.slice(0, count);
    this.undone = turns.slice(count).reverse();
  }

  lines() {
    return this.turns.map(lineOf);
  }
}

// The tiles that spell `word` from a rack: blanks only where letters are missing, the early places first.
// `forced` are places that need a blank, as do those with ? in `word`. Null if the rack lacks tiles.
export function laid(word, rack, forced = new Set()) {
  const tiles = Array(word.length).fill("?");
  let rest = rack;
  for (let place = word.length - 1; place >= 0; place--) {
    if (word[place] !== "?" && !forced.has(place) && rest.includes(word[place])) {
      tiles[place] = word[place];
      rest = without(rest, word[place]);
    }
  }
  for (const letter of tiles) {
    if (letter !== "?") continue;
    if (!rest.includes("?")) return null;
    rest = without(rest, "?");
  }
  return tiles.join("");
}

// The same, with ! for the letters that neither tiles nor blanks are left for: then the first letters take the tiles.
export function laidAsFar(word, rack, forced) {
  let rest = rack;
  const take = (tile) => {
    const left = without(rest, tile);
    rest = left ?? rest;
    return left !== null;
  };
  const tileAt = (letter, place) =>
    [letter, BLANK].find((tile) => !(forced.has(place) && tile === letter) && take(tile));
  return laid(word, rack, forced) ?? [...word].map((letter, place) => tileAt(letter, place) ?? "!").join("");
}
