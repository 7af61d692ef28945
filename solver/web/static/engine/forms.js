// A valid game as text, in the forms of solver/show/games.py. Besides what `shownGame` returns, it has
// `comments`, with which the answer states its rules.

import { linesOf, tilesOf } from "./shown.js";
import { counted } from "./text.js";

// position times value of each tile, or 0 for a tile of no value, then the bonus
function sumOf(turn) {
  const placed = turn.play.map(({ position, value }) => (value ? `${position}×${value}` : "0"));
  return [...placed, ...(turn.bonus ? [turn.bonus] : [])].join(" + ");
}

function reddit(game) {
  const points = `${counted(game.score, "point")} in ${counted(game.turns.length, "turn")}`;
  const lines = [...game.comments.split("\n").filter(Boolean), ...linesOf(game)].map((line) => `    ${line}`);
  const rows = game.turns.map((turn, number) => {
    return `| ${number + 1} | \`${tilesOf(turn)}\` | ${turn.word} | ${sumOf(turn)} | ${turn.score} | ${turn.total} |`;
  });
  const head = ["| turn | play | word | sum | score | total |", "| ---: | --- | --- | --- | ---: | ---: |"];
  return [`**${points} on ${game.puzzle}**`, "", ...lines, "", ...head, ...rows, ""].join("\n");
}

const text = (game) =>
  game.comments +
  linesOf(game)
    .map((line) => `${line}\n`)
    .join("");

export const FORMS = { text, reddit };
