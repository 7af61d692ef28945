// The dialogs of the page: a new game, and the rules.

import { recordBook } from "./api.js";
import { fill, h, tile } from "../view/dom.js";
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
    return h(
      "form",
      { class: "fields", onsubmit: start, novalidate: true },
      h("label", { for: field.id }, label),
      field,
      h("button", { type: "submit" }, "Play"),
    );
  };
  const names = h("select", { id: "bundled" });
  recordBook()
    .then((all) =>
      fill(
        names,
        all.map((record) => h("option", { value: record.puzzle }, record.puzzle)),
      ),
    )
    .catch(() => {});
  const seed = h("input", {
    type: "number",
    id: "seed",
    min: "0",
    max: String(MOST_SEED),
    value: String(Math.floor(Math.random() * 1e6)),
  });
  const row = h("input", {
    type: "text",
    id: "own-row",
    placeholder: "tea?setsoatzest",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  dialog("New game", [
    h(
      "div.fields",
      own && h("button", { type: "button", id: "own", onclick: () => begin(own) }, "The puzzle of this server"),
      h(
        "button.main",
        { type: "button", id: "challenge", onclick: () => begin({ name: "challenge" }) },
        "The challenge",
      ),
      h("span.quiet", "A hundred tiles; the best possible score is 1042."),
    ),
    line("A puzzle", names, () => (names.value ? { name: names.value } : "The names of the puzzles are not here yet.")),
    line("Shuffled tiles, number", seed, () => numberOf(seed.value)),
    line("A row of your own", row, () => rowOf(row.value)),
    wrong,
    // on a phone the header has no room for this
    [...document.querySelectorAll("header > a")].map((link) =>
      h("p", h("a", { href: link.href }, link.textContent), " on a board"),
    ),
  ]);
}

function numberOf(text) {
  const isNumber = /^\d+$/.test(text.trim()) && Number(text) <= MOST_SEED;
  return isNumber
    ? { seed: Number(text) }
    : `Number: expected a whole number from 0 to ${MOST_SEED.toLocaleString("en")}.`;
}

function rowOf(text) {
  const row = text.replace(/\s/g, "").toLowerCase();
  const wrong = [...row].find((letter) => !/[a-z?]/.test(letter));
  if (wrong) return `“${wrong}” in the row: expected letters a to z, and ? for blanks.`;
  return row && row.length <= LONGEST_ROW ? { row } : `The row has ${row.length} tiles: expected 1 to ${LONGEST_ROW}.`;
}

const KEYS = [
  ["letters", "build the word; blanks are found by themselves"],
  [".", "lay a blank; the next letter is its letter"],
  ["Backspace", "take the last letter back"],
  ["Enter", "play the word"],
  ["Escape", "clear the word"],
  ["← →", "draw fewer or more from the left"],
  ["Ctrl Z, Ctrl Y", "undo, redo"],
  ["1 2 3", "turns, best plays, points lost"],
  ["Alt H", "a hint"],
  ["Alt P T G R J S", "play, daily, my games, records, judge, solve"],
];

// a turn as a picture: the row with the tiles drawn, and the word with its points
function example() {
  const values = { q: 10, u: 1, i: 1, z: 10, t: 1, e: 1, a: 1, r: 1, n: 1, o: 1 };
  const tiles = (letters, kind = "") =>
    [...letters].map((letter) => tile(letter, values[letter], "span", { class: kind }));
  const points = [..."quiz"].map((letter, at) =>
    h("span.laid", tiles(letter), h("small", `${at + 1}×${values[letter]}`)),
  );
  return h(
    "div.example",
    { role: "img", "aria-label": "Q, U from the left and I, Z from the right make QUIZ for 55 points" },
    h("p", { "aria-hidden": "true" }, tiles("qu", "left"), tiles("tearno"), tiles("iz", "right")),
    h("p", { "aria-hidden": "true" }, points, h("b", " = 55")),
  );
}

export function help() {
  const hasKeys = !matchMedia("(pointer: coarse)").matches;
  dialog("Rules", [
    example(),
    h(
      "p",
      "Each turn, draw tiles from the left and right ends of the row until your rack is full. Then play one word. ",
      "Every tile scores its value times its place in the word, so costly letters belong at the end.",
    ),
    h(
      "p",
      "Blanks (?) stand for any letter and score nothing. What you do not play stays on the rack. ",
      "The game ends when no word can be played. The highest total wins.",
    ),
    h(
      "p",
      "Tap a tile of the row to draw up to it, or move the slider. Grades mark turns that lost points: ",
      "?! some (from 0.5 % of the best score), ? many (1.5 %), ?? most (3 %).",
    ),
    h("p", h("a", { href: "solved.html" }, "How the challenge was solved")),
    hasKeys &&
      h(
        "table",
        h(
          "tbody",
          KEYS.map(([key, act]) => h("tr", h("td.word", h("kbd", key)), h("td.word", act))),
        ),
      ),
  ]);
}
