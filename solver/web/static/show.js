// Any game turn by turn, in a dialog: the same view as the pages of `rowdraw show -o GAME.html`.

import { shown } from "./api.js";
import { button, h } from "../view/dom.js";
import { Games, lineOf } from "../view/games.js";
import { dialog, id, messageOf } from "./page.js";
import { nameOf } from "./standing.js";

// chosen: one game, or two side by side, as { name, game or load } of a verdict or { name, asked, lines };
// playOn: called with the lines of the first game up to the turn that is shown, or null where it cannot be played on
export async function showGames(chosen, playOn) {
  let games;
  try {
    games = await Promise.all(chosen.map(({ game, load, asked, lines }) => game ?? load?.() ?? shown(asked, lines)));
  } catch (error) {
    dialog("This game cannot be shown", [h("p.bad", messageOf(error))]);
    return;
  }
  games.forEach((game, at) => {
    const { name, asked } = chosen[at];
    game.file = name;
    if (asked) game.puzzle = nameOf(asked, { name: game.puzzle });
  });
  const stage = h("div", { class: "viewer", tabindex: "-1" });
  const faulty = games[0].turns.findIndex((turn) => turn.violations.length) + 1;
  const view = new Games(stage, games, { prefix: "shown-" });
  const lines = () => games[0].turns.slice(0, view.at).map(lineOf);
  const on =
    playOn &&
    button("Play on from here", () => {
      id("dialog").close();
      playOn(lines());
    });
  dialog(games.map((game) => game.file).join(" against "), [stage], on ? [on] : []).classList.add("viewing");
  id("shown-next").focus({ preventScroll: true });
  view.go(faulty || 1);
}
