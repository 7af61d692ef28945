// The score, and how far it is from what can be reached and from the best known game. Its lines keep their room.

import { h, fill } from "../view/dom.js";
import { LESSON } from "./coach.js";
import { dailyName } from "./calendar.js";
import { count } from "./motion.js";
import { counted, id, TOO_LARGE } from "./page.js";

export function nameOf(asked, puzzle) {
  if (asked.row === LESSON.row) return "A first turn";
  return dailyName(asked) ?? (asked.seed === undefined ? puzzle.name : `Shuffled tiles, number ${asked.seed}`);
}

// isSealed: whether the page hides how good a turn was
export function showStanding({ asked, game, known, isOver }, isSealed) {
  const { puzzle } = game;
  const { best, most, isProven } = known;
  const reach = isSealed || isOver || !game.turns.length ? null : known.reach(game);
  const part = (points) => `${best ? Math.min(100, (100 * Math.max(0, points)) / Math.max(best, game.score)) : 0}%`;
  const facts = `: ${counted(puzzle.row.length, "tile")}, a rack of ${puzzle.rack}`;
  fill(id("title"), nameOf(asked, puzzle), h("span.quiet", facts));
  count(id("score"), game.score);
  id("bar-score").style.width = part(game.score);
  id("bar-reach").style.width = part((reach ?? 0) - game.score);
  const figures = [];
  if (best) figures.push(["best", isProven ? `best possible ${best}` : `best known ${best}`]);
  if (reach !== null) figures.push(["reach", `${reach} within reach`]);
  else if (most !== null && !isProven) figures.push(["most", `no game exceeds ${most}`]);
  if (!best) figures.push(["", puzzle.solvable ? "Looking for good games …" : TOO_LARGE]);
  fill(
    id("figures"),
    figures.map(([kind, text]) => h("span.figure", { class: kind }, text)),
  );
  id("bar").setAttribute("aria-label", [`score ${game.score}`, ...figures.map(([, text]) => text)].join(", "));
}
