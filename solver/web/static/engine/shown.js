// A game in the form in which the page shows it, turn by turn, as solver/show/games.py makes it.

import { printable } from "./text.js";

// game: as `replay` returns it. The turn of its fault comes last, without points
export function shownGame(game, rules) {
  const { row } = rules;
  const { fault } = game;
  let [start, stop, held] = [0, row.length, []];
  const faulty = game.faulty ? [{ ...game.faulty, score: 0, total: game.score }] : [];
  const turns = [...game.turns, ...faulty].map((turn) => {
    const left = range(start, start + turn.left.length);
    const right = range(stop - turn.right.length, stop);
    start += left.length;
    stop -= right.length;
    const [play, leave] = laidDown(turn, rules, [...held, ...left, ...right]);
    const before = held;
    held = leave;
    const bonus = turn.play.length === rules.rack ? rules.bonus : 0;
    const { line, word, score, total } = turn;
    return {
      line,
      left,
      right,
      held: before,
      leave,
      play,
      word: printable(word),
      bonus,
      score,
      total,
      count: String(left.length),
      violations: turn.line === fault?.line ? [fault] : [],
    };
  });
  return {
    file: "",
    puzzle: rules.name,
    row,
    values: [...row].map((tile) => rules.values[tile] ?? 0),
    score: game.score,
    valid: !fault,
    faults: fault ? "1 fault" : "0 faults",
    first: fault,
    turns,
    violations: fault && !game.faulty ? [fault] : [],
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
