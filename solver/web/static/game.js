// A game as the page plays it: no words and no faults here, those are the referee's.

export class Game {
  // puzzle: what /api/puzzle tells; turns: [{ left, tiles, word }]
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
    return this.turns.reduce((total, turn) => total + this.points(turn.tiles), 0);
  }

  // how far the row is drawn, and the leave, after `count` turns
  hand(count = this.turns.length) {
    const { row, rack } = this.puzzle;
    let left = 0;
    let right = 0;
    let leave = "";
    for (const turn of this.turns.slice(0, count)) {
      const wants = Math.min(rack - leave.length, row.length - left - right);
      const from = Math.min(turn.left, wants);
      leave += row.slice(left, left + from);
      left += from;
      leave += row.slice(row.length - right - (wants - from), row.length - right);
      right += wants - from;
      for (const letter of turn.tiles) leave = without(leave, letter);
    }
    return { left, right, leave, wants: Math.min(rack - leave.length, row.length - left - right) };
  }

  // the tiles that a draw of `from` tiles from the left gives, and the rack with them
  drawn(from) {
    const { row } = this.puzzle;
    const { left, right, leave, wants } = this.hand();
    const end = row.length - right;
    const tiles = row.slice(left, left + from) + row.slice(end - (wants - from), end);
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

  lines(count = this.turns.length) {
    return this.turns.slice(0, count).map((turn) => `${turn.left} ${turn.tiles} ${turn.word}`);
  }
}

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
// `forced` are places at which a blank is wanted. Null where the rack does not have them.
export function laid(word, rack, forced = new Set()) {
  const tiles = Array(word.length).fill("?");
  let left = rack;
  for (let place = word.length - 1; place >= 0; place--) {
    if (!forced.has(place) && left.includes(word[place])) {
      tiles[place] = word[place];
      left = without(left, word[place]);
    }
  }
  for (const letter of tiles) {
    if (letter !== "?") continue;
    if (!left.includes("?")) return null;
    left = without(left, "?");
  }
  return tiles.join("");
}

// The address of a puzzle and a game: #challenge/6.s?l?mnize.solemnize/... ; rows without a name as row=...
export function toFragment(asked, lines) {
  const [kind, value] = Object.entries(asked)[0];
  const named = kind === "name" ? encodeURIComponent(value) : `${kind}=${encodeURIComponent(value)}`;
  return [named, ...lines.map((line) => line.split(" ").join("."))].join("/").replaceAll("?", "_");
}

export function fromFragment(fragment) {
  const [named, ...lines] = fragment.replace(/^#/, "").replaceAll("_", "?").split("/");
  const found = /^(row|seed)=(.*)$/.exec(named);
  let asked;
  try {
    if (found) asked = found[1] === "seed" ? { seed: Number(found[2]) } : { row: decodeURIComponent(found[2]) };
    else asked = { name: decodeURIComponent(named) };
  } catch {
    return null;
  }
  return named ? { asked, lines: lines.filter(Boolean).map((line) => line.split(".").join(" ")) } : null;
}
