// A game in progress, without words and faults, which the referee judges.

export class Game {
  // puzzle: the answer of /api/puzzle; turns: [{ left, tiles, word }]
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
    const sum = [...tiles].reduce((total, letter, place) => total + (place + 1) * this.value(letter), 0);
    return sum + (tiles.length === this.puzzle.rack ? this.puzzle.bonus : 0);
  }

  get score() {
    return this.scoreAfter(this.turns.length);
  }

  // the score of the first `count` turns
  scoreAfter(count) {
    return this.turns.slice(0, count).reduce((total, turn) => total + this.points(turn.tiles), 0);
  }

  // how far the row is drawn, and the leave, after `count` turns
  hand(count = this.turns.length) {
    const { row, rack } = this.puzzle;
    let left = 0;
    let right = 0;
    let leave = "";
    for (const turn of this.turns.slice(0, count)) {
      const drawSize = Math.min(rack - leave.length, row.length - left - right);
      const from = Math.min(turn.left, drawSize);
      leave += row.slice(left, left + from);
      left += from;
      leave += row.slice(row.length - right - (drawSize - from), row.length - right);
      right += drawSize - from;
      for (const letter of turn.tiles) leave = without(leave, letter);
    }
    return { left, right, leave, drawSize: Math.min(rack - leave.length, row.length - left - right) };
  }

  // the position after `count` turns, by all that the rest of the game depends on: the ends of the row, and the leave
  state(count = this.turns.length) {
    const { left, right, leave } = this.hand(count);
    const ends = left + right === this.puzzle.row.length ? "end" : `${left},${right}`;
    return `${ends},${sorted(leave)}`;
  }

  // the tiles that a draw of `from` tiles from the left gives, and the rack with them
  drawn(from) {
    const { row } = this.puzzle;
    const { left, right, leave, drawSize } = this.hand();
    const end = row.length - right;
    const tiles = row.slice(left, left + from) + row.slice(end - (drawSize - from), end);
    return { tiles, rack: leave + tiles };
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

export const lineOf = (turn) => `${turn.left} ${turn.tiles} ${turn.word}`;

export function turnOf(line) {
  const [left, tiles, word] = line.split(" ");
  return { left: Number(left), tiles, word };
}

export function without(tiles, letter) {
  const place = tiles.indexOf(letter);
  return place < 0 ? tiles : tiles.slice(0, place) + tiles.slice(place + 1);
}

export const sorted = (tiles) => [...tiles].sort().join("");

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

// The same, with ! for the letters, the last ones first, that neither tiles nor blanks are left for.
export function laidAsFar(word, rack, forced) {
  const missing = new Set();
  for (;;) {
    const kept = [...word].map((letter, place) => (missing.has(place) ? "" : letter));
    // places move up as letters are left out
    const at = [...word].map((_, place) => kept.slice(0, place).join("").length);
    const tiles = laid(
      kept.join(""),
      rack,
      new Set([...forced].filter((place) => !missing.has(place)).map((place) => at[place])),
    );
    if (tiles !== null) return [...word].map((_, place) => (missing.has(place) ? "!" : tiles[at[place]])).join("");
    missing.add(lastThatHelps(word, missing, rack));
  }
}

// the last letter of which the rack has fewer than the word
function lastThatHelps(word, missing, rack) {
  let rest = rack;
  let last = 0;
  [...word].forEach((letter, place) => {
    if (missing.has(place)) return;
    if (rest.includes(letter)) rest = without(rest, letter);
    else last = place;
  });
  return last;
}
