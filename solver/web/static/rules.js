// The rules of the game, as verify/core.py has them. All that the page draws and counts goes through this file.

export const BLANK = "?";

// A position, the game between two turns: the row from `start` to before `end`, and the leave.
export const opening = ({ row }) => ({ start: 0, end: row.length, leave: "" });

// the number of tiles that the next turn draws
export const drawSize = ({ rack }, { start, end, leave }) => Math.min(rack - leave.length, end - start);

// the number of draws that lead to different racks: one if the draw empties the row
export function choices(puzzle, at) {
  const size = drawSize(puzzle, at);
  return size === at.end - at.start ? 1 : size + 1;
}

// draw `left` tiles from the left end and the others from the right end: the tiles, the rack, and what is left of the row
export function draw(puzzle, at, left) {
  const start = at.start + left;
  const end = at.end - (drawSize(puzzle, at) - left);
  const fromLeft = puzzle.row.slice(at.start, start);
  const fromRight = puzzle.row.slice(end, at.end);
  return { left: fromLeft, right: fromRight, rack: at.leave + fromLeft + fromRight, start, end };
}

// the rack without these tiles; null if it lacks one
export function without(rack, tiles) {
  let leave = rack;
  for (const tile of tiles) {
    const place = leave.indexOf(tile);
    if (place < 0) return null;
    leave = leave.slice(0, place) + leave.slice(place + 1);
  }
  return leave;
}

// whether tiles spell a word
export const spells = (tiles, word) =>
  tiles.length === word.length && [...tiles].every((tile, place) => tile === BLANK || tile === word[place]);

// the points of a play
export function score({ values, rack, bonus }, tiles) {
  const points = [...tiles].reduce((sum, tile, place) => sum + (place + 1) * (values[tile] ?? 0), 0);
  return points + (tiles.length === rack ? bonus : 0);
}

// the position after a turn that the rules allow
export function after(puzzle, at, { left, tiles }) {
  const { rack, start, end } = draw(puzzle, at, left);
  return { start, end, leave: without(rack, tiles) };
}

export const afterAll = (puzzle, turns) => turns.reduce((at, turn) => after(puzzle, at, turn), opening(puzzle));

// turns as lines of an answer
export const lineOf = ({ left, tiles, word }) => `${left} ${tiles} ${word}`;

export function turnOf(line) {
  const [left, tiles, word] = line.split(" ");
  return { left: Number(left), tiles, word };
}

export const sorted = (tiles) => [...tiles].sort().join("");
