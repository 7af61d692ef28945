// The card at the end of a game: a grade, a sentence, a square for each turn, and what to do next.

import { h, tile } from "../view/dom.js";
import { squareOf, squares } from "./daily.js";
import { counted, id, refill } from "./page.js";

const GRADES = [
  [97, "Excellent"],
  [90, "Very good"],
  [80, "Good"],
  [60, "Not bad"],
  [0, "Finished"],
]; // from that many percent

// own: the player's best score on the row, 0 without one; actions: { share, again, best, next } are called by its
// buttons;
// daily: what a daily row adds, see `Daily.ending`, or null
export function showEnd({ game, known, isOver }, own, actions, daily) {
  id("end").hidden = !isOver;
  if (!isOver) return;
  const { score, turns } = game;
  const { best, isProven } = known;
  const next = button("next", "Another row", actions.next, turns.length ? "" : "main");
  if (!turns.length) {
    refill(id("end"), h("p.verdict", "No word can be played on this row"), h("div.fields", next));
    return;
  }
  const isPerfect = score >= best && isProven;
  const percent = Math.floor((100 * score) / Math.max(best, 1));
  const hints = daily?.hints ? `, with ${counted(daily.hints, "hint")}` : "";
  const share = score >= best ? "the best score " : `${percent} % of the best score `;
  const points = `${counted(score, "point")} in ${counted(turns.length, "turn")}${hints}`;
  const sentence = `${points}: ${share}${isProven ? "possible" : "known"}.`;
  refill(
    id("end"),
    h("div.verdict", isPerfect ? party() : GRADES.find(([least]) => percent >= least)[1]),
    h("p.sentence", sentence),
    squares(known.losses(game).map((loss) => squareOf(loss, best))),
    h(
      "div.fields",
      button("end-share", "Share", daily?.share ?? actions.share, "main"),
      actions.best && button("best", "The best game", actions.best),
      button("again", "Play it again", actions.again),
      next,
    ),
    h("p.quiet", daily?.news ?? (own > score && `Your best game on this row has ${counted(own, "point")}.`)),
  );
}

const button = (key, label, onclick, kind = "") =>
  h("button", { type: "button", "data-key": key, class: kind, onclick }, label);

// a perfect game is celebrated by tiles that jump
const party = () =>
  h(
    "span.party",
    { role: "img", "aria-label": "Perfect" },
    [..."perfect"].map((letter, at) => tile(letter, 0, "span", { "aria-hidden": "true", hue: at })),
  );
