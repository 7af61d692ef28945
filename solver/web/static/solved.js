// The page "How it was solved": the row, the record game, a beam on ten tiles, and the bound as it fell.

import { chart } from "../view/chart.js";
import { fill, h, line, table, tile } from "../view/dom.js";
import { Games } from "../view/games.js";

const EACH = 2500; // ms that a turn is shown
const id = (name) => document.getElementById(name);
const answer = await fetch(new URL("data/solved.json", import.meta.url));
const { game, values, publicBest, row, rack, width, layers, best, bounds } = await answer.json();
const shownTiles = (tiles) => [...tiles].map((letter) => tile(letter, values[letter] ?? 0));

fill(id("row"), shownTiles(game.row));
fill(id("ten"), shownTiles(row));

const view = new Games(id("game"), [game]);
let timer = 0;

function stop() {
  clearInterval(timer);
  timer = 0;
  id("play").textContent = "Play";
}

id("play").addEventListener("click", () => {
  if (timer) return stop();
  if (view.at === view.last) view.go(1);
  timer = setInterval(() => (view.at < view.last ? view.go(view.at + 1) : stop()), EACH);
  id("play").textContent = "Pause";
});
view.go(1);

id("public").textContent =
  `The best game that others have posted has ${publicBest} points, ${game.score - publicBest} fewer. ` +
  "Its turns are not part of rowdraw, so the games cannot be compared turn by turn here.";

const shownLine = ([points, words], place) =>
  h("div", { class: place < width ? "" : "dropped" }, `${words.join(", ")}: ${points}`);
const rows = layers.map(
  ({ games, first }, played) => played > 0 && games > 0 && line(played, games, h("td", first.map(shownLine))),
);
id("layers").replaceWith(table(["tiles", "games", "kept, and the first one dropped"], rows, { id: "layers" }));
const found = Math.max(...layers.map(({ first }) => first[0]?.[0] ?? 0));
id("beam").textContent =
  found < best
    ? `The beam finds ${found} points with a rack of ${rack}. A search that keeps all games finds ${best}.`
    : `The beam finds ${found} points with a rack of ${rack}, as a search does that keeps all games.`;

fill(id("bound"), chart([{ name: "bound", points: bounds }], { x: "seconds", y: "points", steps: true }));
const [[, high], [seconds, low]] = [bounds[0], bounds.at(-1)];
id("bounds").textContent =
  `The bound of a run of ${seconds} seconds, as python tools/solved.py printed it: from ${high} down to ${low}. ` +
  `The record is ${game.score}; the bound of its certificate is the same.`;
