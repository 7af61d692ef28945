// The page: which puzzle is open, what is shown, keys, and what is kept between visits.

import { ask, Refused } from "./api.js";
import { Beside } from "./beside.js";
import { fill, h } from "../view/dom.js";
import { choose, dialog, id, tabs } from "./page.js";
import { fromFragment, toFragment, turnOf } from "./game.js";
import { Judge } from "./judge.js";
import { Play } from "./play.js";
import { Records } from "./records.js";
import { share } from "./share.js";
import { Solve } from "./solve.js";

const KEPT = "rowdraw-game";
const VIEWS = [["tab-play", "view-play"], ["tab-solve", "view-solve"], ["tab-judge", "view-judge"], ["tab-records", "view-records"]];
const SIDES = [["tab-turns", "side-turns"], ["tab-plays", "side-plays"], ["tab-review", "side-review"]];

let view = "tab-play";
let reach = null; // { score, turns } of the best game found from here
let ready = false;

const play = new Play({ changed, drawChanged });
const beside = new Beside(play, (score, turns) => {
  if (score > (reach?.score ?? 0)) reach = { score, turns };
  standing();
});
const solve = new Solve(play, (lines) => openTurns(lines));
const judge = new Judge(play, openTurns);
const records = new Records((asked, lines) => {
  showView("tab-play");
  open(asked, lines);
});

function changed() {
  reach = null;
  keep();
  beside.changed();
  standing();
}

function drawChanged() {
  beside.refresh();
}

function keep() {
  if (!ready) return;
  const fragment = toFragment(play.asked, play.game.lines());
  history.replaceState(null, "", `#${fragment}`);
  try {
    localStorage.setItem(KEPT, fragment);
  } catch {
    // a browser that keeps nothing: the address still does
  }
}

function standing() {
  const { game } = play;
  const { puzzle } = game;
  const best = Math.max(reach?.score ?? 0, game.turns.length ? 0 : puzzle.best ?? 0);
  const most = puzzle.bound ?? null;
  const scale = Math.max(most ?? 0, best, game.score, 1);
  id("title").textContent = `${puzzle.name}: ${puzzle.row.length} tiles, a rack of ${puzzle.rack}`;
  id("bar-score").style.width = `${(100 * game.score) / scale}%`;
  id("bar-reach").style.width = `${(100 * Math.max(0, best - game.score)) / scale}%`;
  const figures = [`Score ${game.score}`];
  if (reach) figures.push(`${reach.score} can be reached`);
  else if (!game.turns.length && puzzle.best) figures.push(`best known ${puzzle.best}`);
  if (most) figures.push(`no game exceeds ${Math.floor(most)}`);
  id("figures").textContent = figures.join(" · ");
  id("bar").setAttribute("aria-label", figures.join(", "));
}

// Open a puzzle and a game; lines that the referee refuses are told, and those before them played.
async function open(asked, lines = []) {
  try {
    const puzzle = await ask("puzzle", { puzzle: asked });
    let turns = lines;
    let message = "";
    if (lines.length) {
      const told = await ask("judge", { puzzle: asked, text: lines.join("\n") });
      const wrong = told[0].faults[0];
      if (wrong) {
        turns = lines.slice(0, Math.max(0, wrong.line - 1));
        message = `Turn ${wrong.line}, “${lines[wrong.line - 1] ?? ""}”: ${wrong.message}`;
      }
    }
    const name = puzzle.bundled && !asked.name ? { name: puzzle.bundled } : asked;
    ready = true;
    play.open(name, puzzle, turns.map(turnOf));
    solve.reset();
    if (message) play.tell(message, true);
    return true;
  } catch (error) {
    const told = error instanceof Refused ? error.message : "The server does not answer.";
    if (play.game) play.tell(told, true);
    else fill(id("message"), told);
    return told;
  }
}

function openTurns(lines) {
  showView("tab-play");
  open(play.asked, lines);
}

function showView(tab) {
  view = tab;
  choose(VIEWS, tab);
  if (tab === "tab-records") records.show();
  if (tab !== "tab-play") beside.searcher.stop();
  else if (play.game) beside.refresh();
}

function newGame() {
  const told = h("p", { role: "alert", class: "bad" });
  const begin = async (asked) => {
    const done = await open(asked);
    if (done === true) {
      id("dialog").close();
      showView("tab-play");
    } else told.textContent = done;
  };
  const names = h("select", { id: "bundled", "aria-label": "A bundled puzzle" });
  ask("records", {}).then((all) => fill(names, all.map((record) => h("option", { value: record.puzzle }, record.puzzle)))).catch(() => {});
  const seed = h("input", { type: "number", id: "seed", min: "0", max: "1000000000", value: String(Math.floor(Math.random() * 1e6)) });
  const row = h("input", { type: "text", id: "own-row", placeholder: "tea?setsoatzest", autocomplete: "off", spellcheck: "false" });
  const today = new Date();
  const daily = today.getFullYear() * 10000 + (today.getMonth() + 1) * 100 + today.getDate();
  const line = (name, field, asked) => h("div", { class: "fields" }, h("label", { for: field?.id ?? "" }, name), field, h("button", { type: "button", onclick: () => begin(asked()) }, "Play"));
  dialog(
    "New game",
    h("div", { class: "fields" }, h("button", { type: "button", class: "main", onclick: () => begin({ seed: daily }) }, "The row of today")),
    line("A puzzle", names, () => ({ name: names.value })),
    line("Shuffled tiles, number", seed, () => ({ seed: Number(seed.value) })),
    line("A row of your own", row, () => ({ row: row.value.trim() })),
    told,
  );
}

function help() {
  const keys = [
    ["letters", "build the word; blanks are found by themselves"], ["Backspace", "take the last letter back"], ["Enter", "play the word"],
    ["Escape", "clear the word"], ["← →", "draw fewer or more from the left"], ["Ctrl Z, Ctrl Y", "undo, redo"],
    ["1 2 3", "turns, best plays, points lost"], ["Alt P S J R", "play, solve, judge, records"], ["?", "this help"],
  ];
  dialog(
    "Rules and keys",
    h("p", {}, "A row of letter tiles, and a rack. Each turn you draw from the left and right ends of the row until the rack is full, then play one word. Every tile scores its value times its place in the word, so costly letters belong at the end. Blanks stand for any letter and score nothing. What you keep, you hold in the next turn. Highest total wins."),
    h("table", {}, h("tbody", {}, keys.map(([key, told]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", { class: "word" }, told))))),
  );
}

function onKey(event) {
  if (event.target.closest?.("dialog")) return;
  const field = event.target.closest?.("input, textarea, select");
  if (event.altKey) {
    const tab = { p: "tab-play", s: "tab-solve", j: "tab-judge", r: "tab-records" }[event.key.toLowerCase()];
    if (tab) {
      showView(tab);
      event.preventDefault();
    }
    return;
  }
  if (field && field.type !== "range" && field.type !== "checkbox") return;
  if (event.ctrlKey || event.metaKey) {
    const which = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    if (which && view === "tab-play") {
      play.step(which);
      event.preventDefault();
    }
    return;
  }
  if (event.key === "?") help();
  else if (view !== "tab-play" || !play.game) return;
  else if (/^[a-z]$/i.test(event.key)) play.type(event.key.toLowerCase());
  else if (event.key === "Backspace") play.back();
  else if (event.key === "Escape") play.clear();
  else if (event.key === "Enter" && event.target.tagName !== "BUTTON") play.lay();
  else if (event.key === "ArrowLeft" && field?.type !== "range" && !event.target.closest("[role=tablist]")) play.choose(play.left - 1);
  else if (event.key === "ArrowRight" && field?.type !== "range" && !event.target.closest("[role=tablist]")) play.choose(play.left + 1);
  else if (/^[123]$/.test(event.key)) showSide(SIDES[Number(event.key) - 1][0]);
  else return;
  event.preventDefault();
}

function showSide(tab) {
  choose(SIDES, tab);
  beside.show(tab);
}

tabs(VIEWS, showView);
tabs(SIDES, showSide);
id("new").addEventListener("click", newGame);
id("share").addEventListener("click", () => share(play));
id("help").addEventListener("click", help);
document.addEventListener("keydown", onKey);
document.addEventListener("visibilitychange", () => {
  // a page that nobody looks at searches nothing
  if (document.hidden) beside.searcher.stop();
  else if (play.game && view === "tab-play") beside.refresh();
});
window.addEventListener("hashchange", () => {
  const told = fromFragment(location.hash);
  if (told) open(told.asked, told.lines);
});
document.addEventListener("online-again", () => beside.refresh());

choose(VIEWS, "tab-play");
choose(SIDES, "tab-turns");
let kept = null;
try {
  kept = localStorage.getItem(KEPT);
} catch {
  // see keep()
}
const begun = fromFragment(location.hash) ?? (kept && fromFragment(kept)) ?? { asked: { name: "" }, lines: [] };
open(begun.asked.name === "" ? { name: "challenge" } : begun.asked, begun.lines);
