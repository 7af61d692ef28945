// The card at the end of a game.

import { h, shown } from "../view/dom.js";
import { gradeOf } from "./known.js";
import { counted, id, refill } from "./page.js";

const verdictOn = (score, { best, isProven }) => {
  if (isProven && score >= best) return "Perfect, and proven";
  if (score >= best) return "The best game known";
  return `${Math.floor((100 * score) / best)} % of the best ${isProven ? "possible" : "known"} score, ${best}`;
};

// own: the player's best score on the row, 0 without one; actions: { share, picture, again, next } are called by its buttons;
// daily: what it shows of a daily row, or null
export function showEnd(play, own, actions, daily) {
  const { game, known, isOver } = play;
  id("end").hidden = !isOver;
  if (!isOver) return;
  const { score, turns } = game;
  const button = (key, label, act, kind = "") => h("button", { type: "button", "data-key": key, class: kind, onclick: act }, label);
  refill(
    id("end"),
    h("p", { class: "verdict" }, turns.length ? verdictOn(score, known) : "No word can be played on this row"),
    turns.length > 0 && [
      h("p", { class: "total" }, h("strong", {}, String(score)), ` ${score === 1 ? "point" : "points"} in ${counted(turns.length, "turn")}`),
      worst(play),
      own > score && h("p", {}, `Your best game on this row has ${own}.`),
    ],
    daily,
    h("div", { class: "fields" },
      button("next", "Next row", actions.next, daily ? "" : "main"),
      turns.length > 0 && [button("again", "Play this row again", actions.again), button("end-share", daily ? "Share the game" : "Share", actions.share), button("picture", "Picture", actions.picture)]),
  );
}

// the turn that lost most, once all are known
function worst({ game, known }) {
  const losses = known.losses(game);
  if (losses.includes(null)) return h("p", { class: "quiet" }, "Looking for the turn that lost most …");
  const most = losses.reduce((found, loss, number) => (loss.lost > losses[found].lost ? number : found), 0);
  const { lost, better } = losses[most];
  if (!lost) return h("p", {}, "No turn lost a point, as far as was searched.");
  const { mark, name } = gradeOf(lost, known.best);
  const turn = game.turns[most];
  return h("p", {},
    `Turn ${most + 1} lost most: ${turn.left} from the left, `, shown(turn.word, turn.tiles), mark ? ` ${mark} (${name}), ` : ", ", `${counted(lost, "point")}. Better: ${better.left} from the left, `, shown(better.word, better.tiles), ".");
}
