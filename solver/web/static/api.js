// The engine behind the page: its own, which needs no server, or server.js where `rowdraw serve` sends this module.
// All that the page asks goes through the functions of this module. `asked` names a puzzle: { name }, { row },
// { seed } or { own: true }; `lines` are the turns of a game as text, "6 s?l?mnized solemnized".

import * as engine from "./engine/engine.js";
import { Lost } from "./failures.js";

// puzzleOf(asked): { asked, digest: of the puzzle and its words, name, row, rack, values, bonus, game: lines of the
//   best known game, bound, solvable: whether it can be searched }
// positionOf(asked, lines): { turns: the legal lines before the first fault, faults: [{ line, message }], score: of the
//   last turn, total, over }
// playsOf(asked, lines): the best plays of every draw, [{ left, rack, plays: [{ tiles, word, score, leave }] }]
// judged: what Judge accepts, as a sentence
// verdictsOn(asked, text): verdicts on the answers in a text, which may be refused: [{ asked: null where the page
//   cannot open the puzzle, name, puzzle, valid, score, turns: the number before the first fault,
//   faults: [{ line, message }], perhaps the first one alone, perhaps notes: sentences, and either game: turn by turn, see `shown`, or load:
//   returns a promise of it }]
// shown(asked, lines): the game turn by turn, as `Game.as_dict` of solver/show/games.py writes it
// gameAs(asked, lines, form): the game as text or for reddit
// recordBook(): [{ puzzle: its name, best, bound, turns: lines }]
// strategies: of `solve`, [[name, what it is]]
// search(kind, asked, lines, onEvent, signal, settings): runs a search and calls `onEvent` with each event until it is
//   over or `signal` ends it. kind, and its events besides waiting, started and done:
//   reach: { event: "game", turns: lines, score }, games that continue the position
//   plays: the same, one game for each promising play of all draws
//   bound: { event: "bound", bound }, perhaps with the best game
//   solve, with { strategy, seconds }: { event: "better", turns, score, seconds, bound }, and
//     { event: "progress", label, done, total, seconds, racks, score }
export const { puzzleOf, positionOf, playsOf, judged, verdictsOn, shown, gameAs, recordBook } = engine;
export const { strategies, search } = engine;

// the daily rows: { first: the date of the first one, rows: [{ row, best, greedy, turns: lines }] }
export async function dailyRows() {
  const answer = await fetch(new URL("data/daily.json", import.meta.url)).catch(() => null);
  if (!answer?.ok) throw new Lost("The daily rows cannot be loaded.");
  return answer.json();
}
