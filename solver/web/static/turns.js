// The turns of a game: draws, words, points and grades.

import { chart } from "../view/chart.js";
import { fill, h, head, shown } from "../view/dom.js";
import { GRADES } from "./grades.js";
import { counted, id, refill } from "./page.js";

export const shownTurn = (turn) => shown(turn.word, turn.tiles);

// the tiles drawn from the left and from the right in turn `number`, from 0
function drawOf(game, number) {
  const { left } = game.turns[number];
  return `${left} + ${game.drawSize(number) - left}`;
}

function gradeCell(loss) {
  const { mark, name } = GRADES[loss?.grade ?? 0];
  const title = loss && `${name}: it lost ${counted(loss.lost, "point")}`;
  return h("td.grade", { class: loss?.grade === 3 ? "much" : "" }, mark && h("abbr", { title }, mark));
}

// isSealed: whether the turns get no grades yet; step, startOver: called by the buttons
export function showTurns({ game, known }, isSealed, { step, startOver }) {
  if (!game.turns.length) {
    fill(
      id("side-turns"),
      h(
        "p",
        "Draw tiles from both ends of the row until your rack is full: tap a tile, or move the slider. ",
        "Then play a word.",
      ),
      h(
        "p",
        "Each tile scores its value times its place in the word: late places count most. Blanks stand for any ",
        "letter. What you do not play stays on the rack.",
      ),
      h("p", "The game ends when no word can be played. Play for the highest total."),
    );
    return;
  }
  let total = 0;
  const losses = isSealed ? [] : known.losses(game);
  const rows = game.turns.map((turn, number) => {
    const points = game.points(turn.tiles);
    total += points;
    return h(
      "tr",
      h("td", String(number + 1)),
      h("td.draw", { title: "from the left + from the right" }, drawOf(game, number)),
      h("td.word", shownTurn(turn)),
      gradeCell(losses[number]),
      h("td", String(points)),
      h("td", String(total)),
    );
  });
  const button = (key, label, onclick) => h("button", { type: "button", "data-key": key, onclick }, label);
  refill(
    id("side-turns"),
    h("table", head("turn", "draw", "play", "", "points", "total"), h("tbody", rows)),
    h("div.fields", button("step", "Step through the game", step), button("over", "Start over", startOver)),
  );
}

// What each turn lost. game: the whole game, also the turns that were taken back; goBack: called with the number of a
// turn, from 0
export function showLosses(game, known, goBack) {
  const losses = known.losses(game);
  if (!game.turns.length) {
    fill(id("side-review"), h("p", "Play some turns first: then this shows what each of them lost."));
    return;
  }
  const figures = [0, ...game.turns.map((_, number) => number + 1)]
    .map((count) => [count, known.reach(game, count)])
    .filter(([, reach]) => reach !== null);
  const rows = game.turns.map((turn, number) => {
    const loss = losses[number];
    const better = loss?.better;
    return h(
      "tr",
      { class: loss?.grade === 3 ? "much" : "" },
      h("td", String(number + 1)),
      h("td.draw", drawOf(game, number)),
      h("td.word", shownTurn(turn)),
      h("td.lost", loss ? (loss.lost ? `−${loss.lost} ${GRADES[loss.grade].mark}` : "0") : "…"),
      h(
        "td.word",
        better &&
          h(
            "button",
            {
              type: "button",
              "data-key": number,
              title: "Go back to this turn, and show the better play",
              onclick: () => goBack(number),
            },
            `${better.left} from the left: `,
            shownTurn(better),
          ),
      ),
    );
  });
  const points = `${counted(game.score, "point")} after ${counted(game.turns.length, "turn")}`;
  const summary = `${points}; the best game found has ${known.best}.`;
  refill(
    id("side-review"),
    h(
      "p",
      summary,
      figures.length > 1
        ? " The curve shows what could still be reached after each turn."
        : " Looking for what each turn lost …",
    ),
    figures.length > 1 &&
      chart([{ name: "reachable", points: figures }], {
        x: "turns",
        y: "points",
        click: (turn) => turn > 0 && losses[turn - 1]?.better && goBack(turn - 1),
      }),
    h("table", head("turn", "draw", "play", "lost", "better"), h("tbody", rows)),
  );
}
