// The turns of a game: draws, words, points and grades.

import { chart } from "../view/chart.js";
import { button, fill, h, line, shown, table } from "../view/dom.js";
import { GRADES } from "./grades.js";
import { counted, id } from "./page.js";

export const shownTurn = (turn) => shown(turn.word, turn.tiles);

// the tiles drawn from the left and from the right in turn `number`, from 0
function drawOf(game, number) {
  const { left } = game.turns[number];
  return h("td.draw", { title: "from the left + from the right" }, `${left} + ${game.drawSize(number) - left}`);
}

function gradeCell(loss) {
  const { mark, name } = GRADES[loss?.grade ?? 0];
  const title = loss && `${name}: it lost ${counted(loss.lost, "point")}`;
  return h("td.grade", { class: loss?.grade === 3 ? "much" : null }, mark && h("abbr", { title }, mark));
}

const HOW_TO_PLAY = [
  "Draw tiles from both ends of the row until your rack is full: tap a tile, or move the slider. Then play a word.",
  "Each tile scores its value times its place in the word: late places count most. Blanks stand for any letter. " +
    "What you do not play stays on the rack.",
  "The game ends when no word can be played. Play for the highest total.",
];

// isSealed: whether the turns get no grades yet; step, startOver: called by the buttons
export function showTurns({ game, known }, isSealed, { step, startOver }) {
  const side = id("side-turns");
  if (!game.turns.length) return fill(side, ...HOW_TO_PLAY.map((text) => h("p", text)));
  const losses = isSealed ? [] : known.losses(game);
  const rows = game.turns.map((turn, number) =>
    line(
      number + 1,
      drawOf(game, number),
      h("td.word", shownTurn(turn)),
      gradeCell(losses[number]),
      game.points(turn.tiles),
      game.scoreAfter(number + 1),
    ),
  );
  fill(
    side,
    table(["turn", "draw", "play", "", "points", "total"], rows),
    h(
      "div.fields",
      button("Step through the game", step, { "data-key": "step" }),
      button("Start over", startOver, { "data-key": "over" }),
    ),
  );
}

// What each turn lost. game: the whole game, also the turns that were taken back; goBack: called with the number of a
// turn, from 0
export function showLosses(game, known, goBack) {
  const side = id("side-review");
  const { turns } = game;
  if (!turns.length) return fill(side, h("p", "Play some turns first: then this shows what each of them lost."));
  const losses = known.losses(game);
  const title = "Go back to this turn, and show the better play";
  const betterOf = ({ left, ...turn }, number) =>
    button([`${left} from the left: `, shownTurn(turn)], () => goBack(number), { title });
  const rows = turns.map((turn, number) => {
    const loss = losses[number];
    const row = line(
      number + 1,
      drawOf(game, number),
      h("td.word", shownTurn(turn)),
      h("td.lost", loss ? (loss.lost ? `−${loss.lost} ${GRADES[loss.grade].mark}` : "0") : "…"),
      h("td.word", loss?.better && betterOf(loss.better, number)),
    );
    row.classList.toggle("much", loss?.grade === 3);
    return row;
  });
  const points = [...turns.keys(), turns.length]
    .map((count) => [count, known.reach(game, count)])
    .filter(([, reach]) => reach !== null);
  const isDrawn = points.length > 1;
  fill(
    side,
    h(
      "p",
      `${counted(game.score, "point")} after ${counted(turns.length, "turn")}; the best game found has ${known.best}. `,
      isDrawn ? "The curve shows what could still be reached after each turn." : "Looking for what each turn lost …",
    ),
    isDrawn &&
      chart([{ name: "reachable", points }], {
        x: "turns",
        y: "points",
        click: (turn) => losses[turn - 1]?.better && goBack(turn - 1),
      }),
    table(["turn", "draw", "play", "lost", "better"], rows),
  );
}
