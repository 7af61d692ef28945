// A game in the form in which the page shows it, turn by turn, as solver/show/steps.py makes it.

import { scoreOf } from "./referee.js";
import { printable } from "./text.js";

export function shownGame({ verdict, rules, name }) {
  const { row } = rules;
  const faults = verdict.faults.map(({ line, code, message, follows }) => ({ line, code, message, follows_from: follows }));
  const atTurns = new Set(verdict.turns.map((turn) => turn.line));
  let [start, stop, held] = [0, row.length, []];
  const turns = verdict.turns.map((turn) => {
    const left = range(start, start + turn.left.length);
    const right = range(stop - turn.right.length, stop);
    start += left.length;
    stop -= right.length;
    const [play, leave] = laidDown(turn, rules, [...held, ...left, ...right]);
    const before = held;
    held = leave;
    const bonus = scoreOf(turn.play, rules) - play.reduce((sum, tile) => sum + tile.position * tile.value, 0);
    const { line, word, score, total } = turn;
    return { line, left, right, held: before, leave, play, word: printable(word), bonus, score, total, violations: faults.filter((fault) => fault.line === line) };
  });
  const independent = faults.filter((fault) => fault.follows_from === null);
  return {
    file: name, puzzle: rules.name, row, values: [...row].map((tile) => rules.values[tile] ?? 0), score: verdict.score, valid: verdict.valid,
    faults: `${independent.length} fault${independent.length === 1 ? "" : "s"}`, first: independent[0] ?? null, turns,
    violations: faults.filter((fault) => !atTurns.has(fault.line)),
  };
}

const range = (first, end) => Array.from({ length: end - first }, (_, at) => first + at);

// the tiles of a play with their places, and the places that stay on the rack
function laidDown(turn, { row, values }, rack) {
  const left = [...rack];
  const play = [...turn.play].map((tile, at) => {
    const found = left.findIndex((place) => row[place] === tile);
    const place = found < 0 ? null : left.splice(found, 1)[0];
    const letter = tile === "?" && at < turn.word.length ? turn.word[at] : tile;
    return { tile: printable(tile), letter: printable(letter), value: values[tile] ?? 0, position: at + 1, place };
  });
  return [play, left];
}

export const tilesOf = (turn) => turn.play.map((played) => played.tile).join("");
// the turns of a shown game as lines of an answer
export const linesOf = (game) => game.turns.map((turn) => `${turn.left.length} ${tilesOf(turn)} ${turn.word}`);
