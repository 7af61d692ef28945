// The card at the end of a game: a verdict, the score next to others, a sign for each turn, and what to do next.

import { fill, h, tile } from "../view/dom.js";
import { act, squares } from "./daily.js";
import { counted, id } from "./page.js";

const VERDICTS = [
  [97, "Excellent"],
  [90, "Very good"],
  [80, "Good"],
  [60, "Not bad"],
  [0, "Finished"],
]; // from that many percent

// own: the player's best score on the row, 0 without one; actions: { share, again, best, next } are called by its
// buttons; isSealed: whether the best game is not to be shown yet, as after a friend's game; daily: what a daily row
// adds, see `Daily.ending`, or null; isVisit: whether the game is someone else's
export function showEnd({ game, known, isOver }, own, actions, isSealed, daily, isVisit) {
  id("end").hidden = !isOver;
  if (!isOver) return;
  const { score, turns } = game;
  const next = act("next", "Another row", actions.next, turns.length ? "" : "main");
  if (!turns.length) {
    fill(id("end"), h("p.verdict", "No word can be played on this row"), h("div.fields", next));
    return;
  }
  const { best, isProven } = known;
  const kind = isProven ? "possible" : "known";
  const percent = Math.floor((100 * score) / Math.max(best, 1));
  const hints = daily?.hints ? `, with ${counted(daily.hints, "hint")}` : "";
  const share = score >= best ? "the best score" : `${percent} % of the best score`;
  const losses = known.losses(game);
  fill(
    id("end"),
    h("div.verdict", score >= best && isProven ? party() : VERDICTS.find(([least]) => percent >= least)[1]),
    h("p", `${counted(score, "point")} in ${counted(turns.length, "turn")}${hints}: ${share} ${kind}.`),
    h(
      "dl.scores",
      bar(isVisit ? "This game" : "You", score, best, "mine"),
      daily && bar("Greedy play", daily.greedy, best),
      bar(`Best ${kind}`, best, best),
    ),
    !isSealed && [
      squares(turns, daily?.marks || (losses[0] && losses.map(({ grade }) => grade))),
      worst(turns, losses, known.unknown(game)),
    ],
    h(
      "div.fields",
      act("end-share", "Share", daily?.share ?? actions.share, "main"),
      !isSealed && act("best", "The best game", actions.best),
      act("again", "Play it again", actions.again),
      next,
    ),
    h("p.quiet", daily?.news ?? (own > score && `Your best game on this row has ${counted(own, "point")}.`)),
  );
}

const bar = (name, points, best, kind = "") => [
  h("dt", name),
  h("dd", h("span", { class: kind, "aria-hidden": "true", hue: points / Math.max(best, points, 1) }), points),
];

// the turn that cost most, or how far the review is
function worst(turns, losses, unknown) {
  if (unknown.length) {
    const [all, left] = [turns.length + 1, unknown.length];
    return h(
      "p",
      "Finding out what each turn lost … ",
      h("progress", { max: all, value: all - left, "aria-label": "Turns" }),
    );
  }
  const number = losses.reduce((most, { lost }, at) => (lost > losses[most].lost ? at : most), 0);
  const { lost, better } = losses[number];
  if (!lost) return h("p", "No turn lost a point.");
  const words = [better, turns[number]].map(({ word }) => h("strong", word.toUpperCase()));
  return h("p", words[0], " instead of ", words[1], ` in turn ${number + 1}: −${lost}, your costliest turn.`);
}

// a perfect game is celebrated by tiles that jump
const party = () =>
  h(
    "span.party",
    { role: "img", "aria-label": "Perfect" },
    [..."perfect"].map((letter, at) => tile(letter, 0, "span", { "aria-hidden": "true", hue: at })),
  );
