// The score, and how far it is from what can be reached and from the best known game.

import { fill, h } from "../view/dom.js";
import { dailyName } from "./daily.js";
import { count } from "./motion.js";
import { counted, id } from "./page.js";

export function nameOf(asked, puzzle) {
  return dailyName(asked) ?? (asked.seed === undefined ? puzzle.name : `Shuffled tiles, number ${asked.seed}`);
}

export function showStanding({ asked, game, known, isOver }) {
  const { puzzle } = game;
  const { best, most, isProven } = known;
  const reach = known.reach(game);
  const scale = Math.max(best, game.score, 1);
  fill(id("title"), nameOf(asked, puzzle), h("span", { class: "more-facts" }, `: ${counted(puzzle.row.length, "tile")}, a rack of ${puzzle.rack}`));
  count(id("score"), game.score);
  id("bar-score").style.width = `${(100 * game.score) / scale}%`;
  id("bar-reach").style.width = `${(100 * Math.max(0, (reach ?? 0) - game.score)) / scale}%`;
  const figures = [];
  if (reach !== null && game.turns.length && !isOver) figures.push(["reach", `${reach} can still be reached`]);
  if (best) figures.push(["best", isProven ? `best possible ${best}, proven` : `best known ${best}`]);
  if (most !== null && !isProven) figures.push(["most", `no game exceeds ${most}`]);
  if (!figures.length) figures.push(["", puzzle.solvable ? "Looking for good games …" : "This row is too large to be searched here."]);
  fill(id("figures"), figures.map(([kind, text]) => h("span", { class: `figure ${kind}` }, text)));
  id("bar").setAttribute("aria-label", [`score ${game.score}`, ...figures.map(([, text]) => text)].join(", "));
}
