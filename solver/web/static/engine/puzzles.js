// The puzzles that a page may ask for. They need no words, so that a row is shown before these have come.

import { Refused } from "../failures.js";
import { shuffled } from "./shuffle.js";
import { counted, quote } from "./text.js";
import { CLOSED } from "./tiles.js";

const LONGEST_ROW = 400; // tiles
const MOST_SEED = 1e9;
export const CHALLENGE = "challenge";

// the puzzle that `asked` names; data: see data.js
export function named({ puzzles, own, words }, asked) {
  const [[kind, value]] = Object.entries(asked);
  const puzzle = (name, facts) => ({ words, ...facts, name, asked });
  const rules = puzzles[CHALLENGE];
  if (kind === "own") return own.asked ? named({ puzzles, own, words }, own.asked) : puzzle(own.name, own);
  if (kind === "name") {
    if (!Object.hasOwn(puzzles, value)) throw new Refused(`${quote(value)}: no bundled puzzle`);
    return puzzle(value, puzzles[value]);
  }
  if (kind === "seed") {
    if (!Number.isInteger(value) || value < 0 || value > MOST_SEED)
      throw new Refused(`seed ${value}: expected 0 to ${MOST_SEED.toLocaleString("en")}`);
    return puzzle(`seed ${value}`, { ...rules, row: shuffled(rules.row, value), turns: [], bound: null });
  }
  const row = value.toLowerCase();
  if (!row.length || row.length > LONGEST_ROW)
    throw new Refused(`the row has ${counted(row.length, "tile")}: expected 1 to ${LONGEST_ROW}`);
  const wrong = [...row].findIndex((tile) => !/^[a-z?]$/.test(tile));
  if (wrong >= 0) {
    const what = `${quote([...value][wrong])} at place ${wrong + 1} of ${quote(value)} is not a tile`;
    throw new Refused(`the row: ${what}: expected letters a to z and ? for a blank`);
  }
  const { turns, bound } = Object.values(puzzles).find((known) => known.row === row) ?? { turns: [], bound: null };
  return puzzle("a row of your own", { ...rules, row, turns, bound });
}

// the same for the page, see `puzzleOf` of api.js
export function puzzleOf(data, asked) {
  const { asked: address, name, row, rack, values, bonus, turns, bound, words } = named(data, asked);
  const digest = JSON.stringify([row, rack, values, bonus, words.words_hash]);
  return { asked: address, digest, name, row, rack, values, bonus, game: turns, bound, solvable: rack <= CLOSED };
}
