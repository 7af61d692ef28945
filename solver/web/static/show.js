// Any game turn by turn, in a dialog: the same view as the pages of `rowdraw show --html`.

import { gameIn } from "./api.js";
import { h } from "../view/dom.js";
import { Games, lineOf } from "../view/games.js";
import { dialog, id, messageOf } from "./page.js";

// texts: one answer, or two side by side, as { puzzle, text, number, name }, see `gameIn`;
// playOn: called with the lines of the first game up to the turn that is shown, or null where it cannot be played on
export async function showGames(texts, playOn) {
  let games;
  try {
    games = await Promise.all(texts.map(({ puzzle, text, number }) => gameIn(puzzle, text, number)));
  } catch (error) {
    dialog("This game cannot be shown", [h("p", { class: "bad" }, messageOf(error))]);
    return;
  }
  games.forEach((game, at) => (game.file = texts[at].name));
  const stage = h("div", { class: "viewer", tabindex: "-1" });
  const faulty = games[0].turns.findIndex((turn) => turn.violations.length) + 1;
  const view = new Games(stage, games, { prefix: "shown-" });
  const lines = () => games[0].turns.slice(0, view.at).map(lineOf);
  const on = playOn && h("button", { type: "button", onclick: () => {
    id("dialog").close();
    playOn(lines());
  } }, "Play on from here");
  dialog(games.map((game) => game.file).join(" against "), [stage], on ? [on] : []).classList.add("wide");
  id("shown-next").focus({ preventScroll: true });
  view.go(faulty || 1);
}
