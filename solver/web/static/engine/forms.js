// A valid game as text or picture, in the forms of solver/show/games.py. Besides what shownGame returns, it has
// `comments`, with
// which the answer states its rules, and `rules`, which JSON states.

import { pictureOf } from "./picture.js";
import { linesOf, tilesOf } from "./shown.js";
import { counted } from "./text.js";

// position times value of each tile, or 0 for a tile of no value, then the bonus
function sumOf(turn) {
  const placed = turn.play.map(({ position, value }) => (value ? `${position}×${value}` : "0"));
  return [...placed, ...(turn.bonus ? [turn.bonus] : [])].join(" + ");
}

function markdown(game, block, before, after) {
  const points = `${counted(game.score, "point")} in ${counted(game.turns.length, "turn")}`;
  const head = `${before}${points} on ${game.puzzle}${after}`;
  const rows = game.turns.map((turn, number) => {
    return `| ${number + 1} | \`${tilesOf(turn)}\` | ${turn.word} | ${sumOf(turn)} | ${turn.score} | ${turn.total} |`;
  });
  const table = ["| turn | play | word | sum | score | total |", "| ---: | --- | --- | --- | ---: | ---: |", ...rows];
  const lines = [...game.comments.split("\n").filter(Boolean), ...linesOf(game)];
  return [head, "", ...block(lines), "", ...table, ""].join("\n");
}

function json(game) {
  const turns = game.turns.map((turn) => ({
    left: turn.left.length,
    right: turn.right.length,
    rack: [...turn.held, ...turn.left, ...turn.right]
      .map((place) => game.row[place])
      .sort()
      .join(""),
    play: tilesOf(turn),
    word: turn.word,
    points: turn.play.map(({ position, value }) => position * value),
    ...(turn.bonus ? { bonus: turn.bonus } : {}),
    score: turn.score,
    total: turn.total,
    violations: [],
  }));
  const { file, puzzle, row, score, valid, rules } = game;
  return `${JSON.stringify([{ file, puzzle, row, score, valid, rules, turns, violations: [] }], null, 2)}\n`;
}

export const FORMS = {
  text: (game) =>
    game.comments +
    linesOf(game)
      .map((line) => `${line}\n`)
      .join(""),
  markdown: (game) => markdown(game, (lines) => ["```text", ...lines, "```"], "## ", ""),
  reddit: (game) => markdown(game, (lines) => lines.map((line) => `    ${line}`), "**", "**"),
  json,
  svg: pictureOf,
};
