// The page: which view is shown, keys, and the first game.

import { toFragment } from "./address.js";
import { puzzleOf } from "./api.js";
import { Coach, LESSON } from "./coach.js";
import { loadDaily } from "./calendar.js";
import { Daily } from "./daily.js";
import { help, newGame } from "./dialogs.js";
import { showEnd } from "./end.js";
import { Hints } from "./hints.js";
import { Judge } from "./judge.js";
import { MyGames } from "./mygames.js";
import { choose, id, tabs } from "./page.js";
import { Play } from "./play.js";
import { Records } from "./records.js";
import { Session } from "./session.js";
import { share } from "./share.js";
import { showGames } from "./show.js";
import { Side } from "./side.js";
import { Solve } from "./solve.js";
import { nameOf, showStanding } from "./standing.js";
import { Games, isFirstVisit, keepVisited } from "./store.js";

// the views, with the code of the key that opens each with Alt: with it some keyboards write other letters
const KEYS = { KeyP: "play", KeyT: "daily", KeyG: "games", KeyR: "records", KeyJ: "judge", KeyS: "solve" };
const VIEWS = Object.values(KEYS);
const SIDES = ["turns", "plays", "review"];

let view = "play";
let own = null; // the puzzle that the server was started with, unless it is the challenge
let pressed = false; // whether a pointer is down: nothing is replaced under it
let due = false; // whether figures are to be shown again

const games = new Games();
const play = new Play({ changed, drawChanged: () => side.showing === "plays" && learnt() });
const session = new Session(play, games, learnt);
const daily = new Daily(play, session, open);
const coach = new Coach(play, () => open(daily.todaysRow));
const startOver = () => session.startOver();
const side = new Side(play, { startOver, isSealed: () => daily.isSealed });
const hints = new Hints(play, () => daily.hinted());
const solve = new Solve(play, playOn, () => daily.isSealed);
const judge = new Judge(play, playOn);
const records = new Records(games, playOn);
const mine = new MyGames(games, playOn);

function changed(kind, replaced) {
  if (kind === "opened") solve.reset();
  session.changed(kind, replaced);
  daily.changed(kind);
  coach.changed(kind);
  figures();
  if (view === "play") side.refresh();
}

// more is known: show it with the next picture of the screen, but replace nothing under a finger
function learnt() {
  due = true;
  requestAnimationFrame(showLearnt);
}

function showLearnt() {
  if (!due || pressed || !play.game) return;
  due = false;
  figures();
  hints.update();
  if (view === "play") side.update();
}

function figures() {
  daily.follow();
  showStanding(play, daily.isSealed);
  const best = () => showGames([{ name: "The best game known", asked: play.asked, lines: play.known.bestGame }], null);
  const actions = { share: () => share(play), again: startOver, best, next: () => open(nextRow()) };
  showEnd(play, games.bestOn(session.key), actions, daily.isSealed, daily.ending, session.isVisit);
}

// the next of the numbered rows, or any other one
function nextRow() {
  const [, before, number] = /^(.*\D)(\d+)$/.exec(play.asked.name ?? "") ?? [];
  const name = number && before + String(Number(number) + 1).padStart(number.length, "0");
  if (name && records.names.includes(name)) return { name };
  return play.asked.name === "challenge" ? { name: "shuffled-01" } : { seed: Math.floor(Math.random() * 1e6) };
}

async function open(asked) {
  const wrong = await session.open(asked);
  if (!wrong) showView("play");
  return wrong;
}

// a game of a list, or one that was only seen
async function playOn(asked, lines) {
  showView("play");
  await session.open(asked, lines);
}

function showView(name, push = true) {
  if (push && name !== view) history.pushState({ view: name }, "", location.hash);
  // the history may hold what another version of the page called a view
  view = VIEWS.includes(name) ? name : "play";
  choose("view", VIEWS, view);
  if (view === "records") records.show();
  if (view === "games") mine.show();
  if (view === "judge" && play.game) judge.show(nameOf(play.asked, play.game.puzzle));
  lookOrStop();
}

// a hidden page starts no searches; one that is seen again may show another day
function lookOrStop() {
  // the review of a finished game goes on in any view
  if (document.hidden || (view !== "play" && !play.isOver)) side.stop();
  else if (play.game) side.refresh();
  if (!document.hidden && view === "daily") daily.showView();
}

// open the game of the address
async function openAddress() {
  const [hash, remark] = daily.address(location.hash);
  const wrong = await session.openAddress(hash);
  if (remark && !wrong) play.tell(remark);
  return wrong;
}

function onKey(event) {
  if (id("dialog").open) return;
  const field = event.target.closest?.("input, textarea, select");
  if (event.altKey) {
    if (event.code === "KeyH" && view === "play") hints.next();
    else if (event.code in KEYS) showView(KEYS[event.code]);
    else return;
    event.preventDefault();
    return;
  }
  if (field && field.type !== "range" && field.type !== "checkbox") return;
  if (event.ctrlKey || event.metaKey) {
    const which = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    if (which && view === "play") {
      play.step(which);
      event.preventDefault();
    }
    return;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "?") help();
  else if (view !== "play" || !play.game) return;
  else if (/^[a-z]$/i.test(event.key)) {
    play.type(event.key.toLowerCase());
    // Enter then plays the word, and does not press the button clicked before
    id("lay").focus({ preventScroll: true });
  } else if (event.key === ".") play.take("?");
  else if (event.key === "Backspace") play.back();
  else if (event.key === "Escape") play.clear();
  else if (event.key === "Enter" && event.target.tagName !== "BUTTON") play.lay();
  else if (by && field?.type !== "range" && !event.target.closest("[role=tablist]")) play.choose(play.left + by);
  else if (/^[123]$/.test(event.key)) showSide(SIDES[event.key - 1]);
  else return;
  event.preventDefault();
}

function showSide(name) {
  choose("side", SIDES, name);
  if (play.game) side.show(name);
}

// the game of the address, or the one played last, or the server's puzzle
async function begin() {
  const [puzzle] = await Promise.all([puzzleOf({ own: true }).catch(() => null), loadDaily().catch(() => {})]);
  if (!puzzle) return; // asked again once the server answers
  own = puzzle.asked.name === "challenge" ? null : { own: true };
  records.load().catch(() => {});
  const wrong = await openAddress();
  if (!play.game) {
    const last = own ? null : games.all()[0];
    if (last) await session.open(last.asked, last.lines, false);
    // a new visitor begins with a lesson, then the row of today, which is short
    const first = own ? null : daily.todaysRow;
    const isLesson = first && !last && !wrong && isFirstVisit();
    if (!play.game) await session.open(isLesson ? LESSON : (first ?? { own: true }), [], false);
    if (wrong) play.tell(wrong, true);
    if (isLesson) {
      keepVisited();
      coach.show();
    }
  }
  if (history.state?.view) showView(history.state.view, false);
}

tabs(VIEWS, showView);
tabs(SIDES, showSide);
id("new").addEventListener("click", () => newGame(open, own));
id("share").addEventListener("click", () => play.game && share(play));
id("help").addEventListener("click", help);
id("hint").addEventListener("click", () => hints.next());
id("views").addEventListener("click", () => id("views").matches(":popover-open") && id("views").hidePopover());
document.addEventListener("keydown", onKey);
document.addEventListener("visibilitychange", lookOrStop);
document.addEventListener("pointerdown", () => (pressed = true), true);
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(
    kind,
    () => {
      pressed = false;
      // after the click
      setTimeout(showLearnt);
    },
    true,
  );
}
window.addEventListener("popstate", async (event) => {
  if (id("dialog").open) {
    // Back closes the dialog, and the page underneath stays
    id("dialog").close();
    history.forward();
    return;
  }
  showView(event.state?.view ?? "play", false);
  if (play.game && location.hash.slice(1) === toFragment(play.asked, play.game.lines())) return;
  await openAddress();
});
document.addEventListener("online-again", () => (play.game ? showView(view, false) : begin()));

choose("view", VIEWS, view);
choose("side", SIDES, "turns");
begin();
