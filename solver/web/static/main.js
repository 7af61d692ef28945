// The page: which puzzle is open, what is shown, keys, and what is kept between visits.

import { ask, messageOf } from "./api.js";
import { Side } from "./side.js";
import { fill, h } from "../view/dom.js";
import { choose, dialog, id, tabs } from "./page.js";
import { fromFragment, toFragment, turnOf } from "./game.js";
import { Judge } from "./judge.js";
import { Play } from "./play.js";
import { Records } from "./records.js";
import { share } from "./share.js";
import { Solve } from "./solve.js";

const KEPT = "rowdraw-game";
let own = false; // whether the server has a puzzle of its own
let slot = KEPT; // where the browser keeps the game
const GAMES = "rowdraw-games";
const MOST_KEPT = 100;
const VIEWS = [["tab-play", "view-play"], ["tab-solve", "view-solve"], ["tab-judge", "view-judge"], ["tab-records", "view-records"]];
const SIDES = [["tab-turns", "side-turns"], ["tab-plays", "side-plays"], ["tab-review", "side-review"]];

let view = "tab-play";
let reach = 0; // the best score found from here
const reached = new Map(); // the same by game, as its address
let opening = 0; // counts requests for games: only the last one is opened

const play = new Play({ changed, drawChanged: () => side.drawChanged() });
const side = new Side(play, (score) => {
  reach = Math.max(reach, score);
  reached.set(toFragment(play.asked, play.game.lines()), reach);
  standing();
});
const solve = new Solve(play, playOn);
const judge = new Judge(play, playOn);
const records = new Records(playOn);

function changed() {
  keep();
  reach = reached.get(toFragment(play.asked, play.game.lines())) ?? 0;
  side.changed();
  standing();
}

function keep() {
  const fragment = toFragment(play.asked, play.game.lines());
  try {
    localStorage.setItem(slot, fragment);
    const games = { ...keptGames(), [toFragment(play.asked, [])]: fragment };
    localStorage.setItem(GAMES, JSON.stringify(Object.fromEntries(Object.entries(games).slice(-MOST_KEPT))));
  } catch {
    // if the browser keeps nothing, the address still holds the game
  }
  try {
    history.replaceState(null, "", `#${fragment}`);
  } catch {
    // some browsers limit how often the address changes
  }
}

// the last game on each row, by the row's address
function keptGames() {
  try {
    return JSON.parse(localStorage.getItem(GAMES)) ?? {};
  } catch {
    return {};
  }
}

function gameOn(asked) {
  const fragment = keptGames()[toFragment(asked, [])];
  return (typeof fragment === "string" && fromFragment(fragment)?.lines) || [];
}

function standing() {
  const { game } = play;
  const { puzzle } = game;
  const best = Math.max(reach, game.turns.length ? 0 : puzzle.best ?? 0);
  const most = puzzle.bound ?? null;
  const scale = Math.max(most ?? 0, best, game.score, 1);
  const name = play.asked.seed === today() ? "The row of today" : play.asked.seed === undefined ? puzzle.name : `Shuffled tiles, number ${play.asked.seed}`;
  id("title").textContent = `${name}: ${puzzle.row.length} tiles, a rack of ${puzzle.rack}`;
  id("bar-score").style.width = `${(100 * game.score) / scale}%`;
  id("bar-reach").style.width = `${(100 * Math.max(0, best - game.score)) / scale}%`;
  const figures = [["score", `Score ${game.score}`]];
  if (reach) figures.push(["reach", `at least ${reach} can be reached`]);
  else if (!game.turns.length && puzzle.best) figures.push(["reach", `best known ${puzzle.best}`]);
  if (most) figures.push(["most", `no game exceeds ${Math.floor(most)}`]);
  fill(id("figures"), figures.map(([kind, text]) => h("span", { class: `figure ${kind}` }, text)));
  id("bar").setAttribute("aria-label", figures.map(([, text]) => text).join(", "));
}

// Open a puzzle and a game; play the lines before the first that the referee refuses, and return the fault.
async function open(asked, lines = []) {
  const number = ++opening;
  try {
    const puzzle = await ask("puzzle", { puzzle: asked });
    let turns = [];
    let message = "";
    if (lines.length) {
      const [verdict] = await ask("judge", { puzzle: asked, text: lines.join("\n") });
      const [wrong] = verdict.faults;
      // the referee's own words for the turns: people write them in several ways
      turns = wrong ? verdict.turns.slice(0, Math.max(0, wrong.line - 1)) : verdict.turns;
      if (wrong) message = `${wrong.line ? `Turn ${wrong.line}, “${lines[wrong.line - 1] ?? ""}”: ` : ""}${wrong.message}`;
    }
    if (number !== opening) return "";
    play.open(puzzle.asked, puzzle, turns.map(turnOf));
    solve.reset();
    if (message) play.tell(message, true);
    return "";
  } catch (error) {
    if (number === opening) play.tell(messageOf(error), true);
    return messageOf(error);
  }
}

// play on with another game; one click goes back to the player's own
async function playOn(asked, lines) {
  showView("tab-play");
  const before = { asked: play.asked, lines: play.game.lines() };
  if ((await open(asked, lines)) || !before.lines.length) return;
  id("message").append(" ", h("button", { type: "button", onclick: () => open(before.asked, before.lines) }, `Back to your game of ${before.lines.length} turns`));
}

function showView(tab) {
  view = tab;
  choose(VIEWS, tab);
  if (tab === "tab-records") records.show();
  if (tab === "tab-judge") judge.show(id("title").textContent.split(":")[0]);
  lookOrStop();
}

// the number of today's row
function today() {
  const date = new Date();
  return date.getFullYear() * 10000 + (date.getMonth() + 1) * 100 + date.getDate();
}

// a hidden page starts no searches
function lookOrStop() {
  if (document.hidden || view !== "tab-play") side.stop();
  else if (play.game) side.refresh();
}

function newGame() {
  const wrong = h("p", { role: "alert", class: "bad" });
  const begin = async (asked) => {
    // a game that was begun on this row goes on
    wrong.textContent = await open(asked, gameOn(asked));
    if (wrong.textContent) return;
    id("dialog").close();
    showView("tab-play");
  };
  const names = h("select", { id: "bundled", "aria-label": "A bundled puzzle" });
  ask("records", {}).then((all) => fill(names, all.map((record) => h("option", { value: record.puzzle }, record.puzzle)))).catch(() => {});
  const seed = h("input", { type: "number", id: "seed", min: "0", max: "1000000000", value: String(Math.floor(Math.random() * 1e6)) });
  const row = h("input", { type: "text", id: "own-row", placeholder: "tea?setsoatzest", autocomplete: "off", spellcheck: "false" });
  const line = (name, field, asked) => h("div", { class: "fields" }, h("label", { for: field?.id ?? "" }, name), field, h("button", { type: "button", onclick: () => begin(asked()) }, "Play"));
  dialog("New game", [
    h("div", { class: "fields" }, h("button", { type: "button", class: "main", onclick: () => begin({ seed: today() }) }, "The row of today")),
    own && h("div", { class: "fields" }, h("button", { type: "button", onclick: () => begin({ own: true }) }, "The puzzle of this server")),
    line("A puzzle", names, () => ({ name: names.value })),
    line("Shuffled tiles, number", seed, () => ({ seed: Number(seed.value) })),
    line("A row of your own", row, () => ({ row: row.value.trim() })),
    wrong,
  ]);
}

function help() {
  const keys = [
    ["letters", "build the word; blanks are found by themselves"], [".", "lay a blank; the next letter is its letter"], ["Backspace", "take the last letter back"], ["Enter", "play the word"],
    ["Escape", "clear the word"], ["← →", "draw fewer or more from the left"], ["Ctrl Z, Ctrl Y", "undo, redo"],
    ["1 2 3", "turns, best plays, points lost"], ["Alt P S J R", "play, solve, judge, records"], ["?", "this help"],
  ];
  dialog("Rules and keys", [
    h("p", {}, "A row of letter tiles, and a rack. Each turn you draw from the left and right ends of the row until the rack is full, then play one word. Every tile scores its value times its place in the word, so costly letters belong at the end. Blanks stand for any letter and score nothing. What you keep, you hold in the next turn. Highest total wins."),
    h("table", {}, h("tbody", {}, keys.map(([key, action]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", { class: "word" }, action))))),
  ]);
}

function onKey(event) {
  if (id("dialog").open) return;
  const field = event.target.closest?.("input, textarea, select");
  if (event.altKey) {
    // the code of the key: with Alt some keyboards write other letters
    const tab = { KeyP: "tab-play", KeyS: "tab-solve", KeyJ: "tab-judge", KeyR: "tab-records" }[event.code];
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
  else if (/^[a-z]$/i.test(event.key)) {
    play.type(event.key.toLowerCase());
    // Enter then plays the word, and does not press the button clicked before
    id("lay").focus({ preventScroll: true });
  }
  else if (event.key === ".") play.take("?");
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
  if (play.game) side.show(tab);
}

tabs(VIEWS, showView);
tabs(SIDES, showSide);
id("new").addEventListener("click", newGame);
id("share").addEventListener("click", () => play.game && share(play));
id("help").addEventListener("click", help);
document.addEventListener("keydown", onKey);
document.addEventListener("visibilitychange", lookOrStop);
window.addEventListener("hashchange", () => {
  const named = fromFragment(location.hash);
  if (named) open(named.asked, named.lines);
});
document.addEventListener("online-again", () => (play.game ? lookOrStop() : begin()));

choose(VIEWS, "tab-play");
choose(SIDES, "tab-turns");

// the game of the address, or the one of the last visit, or the server's puzzle
async function begin() {
  const puzzle = await ask("puzzle", { puzzle: { own: true } }).catch(() => null);
  if (!puzzle) return; // asked again once the server answers
  own = "own" in puzzle.asked;
  if (own) slot = `${KEPT} ${puzzle.row}`;
  const named = fromFragment(location.hash) ?? keptGame(puzzle.asked);
  const wrong = named ? await open(named.asked, named.lines) : "";
  if (play.game) return;
  await open({ own: true });
  if (wrong) play.tell(wrong, true);
}

// the game of the last visit, unless the server was started with a puzzle
function keptGame(asked) {
  let kept = null;
  try {
    kept = fromFragment(localStorage.getItem(slot) ?? "");
  } catch {
    // see keep()
  }
  const isWanted = asked.name === "challenge" || JSON.stringify(asked) === JSON.stringify(kept?.asked);
  return isWanted ? kept : null;
}
begin();
