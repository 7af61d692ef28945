// The dialogs of the page: a new game, and the rules.

import { recordBook } from "./api.js";
import { fill, h } from "../view/dom.js";
import { dialog, id } from "./page.js";

const LONGEST_ROW = 400; // tiles
const MOST_SEED = 1_000_000_000;

// open: opens a puzzle, and returns a message if it cannot; own: the puzzle that the server was started with, or null
export function newGame(open, own) {
  const wrong = h("p", { role: "alert", class: "bad" });
  const begin = async (asked) => {
    wrong.textContent = await open(asked);
    if (!wrong.textContent) id("dialog").close();
  };
  // asked: returns the puzzle, or a message as text
  const line = (label, field, asked) => {
    const start = (event) => {
      event.preventDefault();
      const chosen = asked();
      if (typeof chosen === "string") wrong.textContent = chosen;
      else begin(chosen);
    };
    return h("form", { class: "fields", onsubmit: start, novalidate: true }, h("label", { for: field.id }, label), field, h("button", { type: "submit" }, "Play"));
  };
  const names = h("select", { id: "bundled" });
  recordBook().then((all) => fill(names, all.map((record) => h("option", { value: record.puzzle }, record.puzzle)))).catch(() => {});
  const seed = h("input", { type: "number", id: "seed", min: "0", max: String(MOST_SEED), value: String(Math.floor(Math.random() * 1e6)) });
  const row = h("input", { type: "text", id: "own-row", placeholder: "tea?setsoatzest", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  dialog("New game", [
    own && h("div", { class: "fields" }, h("button", { type: "button", id: "own", onclick: () => begin(own) }, "The puzzle of this server")),
    line("A puzzle", names, () => (names.value ? { name: names.value } : "The names of the puzzles are not here yet.")),
    line("Shuffled tiles, number", seed, () => numberOf(seed.value)),
    line("A row of your own", row, () => rowOf(row.value)),
    wrong,
    // on a phone the header has no room for this
    [...document.querySelectorAll("header > a")].map((link) => h("p", {}, h("a", { href: link.href }, link.textContent), " on a board")),
  ]);
}

function numberOf(text) {
  const isNumber = /^\d+$/.test(text.trim()) && Number(text) <= MOST_SEED;
  return isNumber ? { seed: Number(text) } : `Number: expected a whole number from 0 to ${MOST_SEED.toLocaleString("en")}.`;
}

function rowOf(text) {
  const row = text.trim().toLowerCase();
  const wrong = [...row].find((letter) => !/[a-z?]/.test(letter));
  if (wrong) return `“${wrong}” in the row: expected letters a to z, and ? for blanks.`;
  return row && row.length <= LONGEST_ROW ? { row } : `The row has ${row.length} tiles: expected 1 to ${LONGEST_ROW}.`;
}

const KEYS = [
  ["letters", "build the word; blanks are found by themselves"], [".", "lay a blank; the next letter is its letter"], ["Backspace", "take the last letter back"], ["Enter", "play the word"],
  ["Escape", "clear the word"], ["← →", "draw fewer or more from the left"], ["Ctrl Z, Ctrl Y", "undo, redo"],
  ["1 2 3", "turns, best plays, points lost"], ["0", "a hint"], ["Alt P T G R J S", "play, daily (today), my games, records, judge, solve"], ["?", "this help"],
];

export function help() {
  dialog("Rules and keys", [
    h("p", {}, "A row of letter tiles, and a rack. Each turn you draw from the left and right ends of the row until the rack is full, then play one word. Every tile scores its value times its place in the word, so costly letters belong at the end. Blanks stand for any letter and score nothing. What you keep, you hold in the next turn. Highest total wins."),
    h("p", {}, "Tap a tile of an end to draw it with all tiles before it; tap the last one drawn to put it back. You can also drag over an end, or drop a tile on the rack."),
    h("p", {}, "Grades mark turns that lost points: ?! some (from 0.5 % of the best score), ? many (1.5 %), ?? most (3 %)."),
    h("table", {}, h("tbody", {}, KEYS.map(([key, action]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", { class: "word" }, action))))),
  ]);
}
