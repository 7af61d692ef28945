// The dialogs of the page: a new game, and the rules.

import { recordBook } from "./api.js";
import { fill, h, tile } from "../view/dom.js";
import { dialog, id } from "./page.js";

const LONGEST_ROW = 400; // tiles
const MOST_SEED = 1_000_000_000;

// open: opens a puzzle, and returns a message if it cannot; own: the puzzle that the server was started with, or null
export function newGame(open, own) {
  const wrong = h("p", { role: "alert", class: "bad" });
  const names = h("datalist", { id: "bundled" });
  const button = (label, name, asked) => h("button", { type: "button", id: name, onclick: () => begin(asked) }, label);
  const field = h("input", {
    id: "what",
    list: "bundled",
    placeholder: "shuffled-01",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const begin = async (asked) => {
    wrong.textContent = typeof asked === "string" ? asked : await open(asked);
    if (!wrong.textContent) id("dialog").close();
  };
  const start = (event) => {
    event.preventDefault();
    const known = [...names.children].map((option) => option.value);
    begin(askedBy(field.value.trim(), known));
  };
  recordBook()
    .then((all) => {
      const options = all.map(({ puzzle }) => h("option", { value: puzzle }));
      fill(names, options);
    })
    .catch(() => {});
  const any = { seed: Math.floor(Math.random() * 1e6) };
  dialog("New game", [
    h(
      "div.fields",
      own && button("The puzzle of this server", "own", own),
      button("The challenge", "challenge", { name: "challenge" }),
      button("Any shuffled row", "any", any),
    ),
    h(
      "form",
      { class: "fields", onsubmit: start, novalidate: true },
      h("label", { for: "what" }, "Or a row of your own, the number of a shuffled one, or the name of a puzzle"),
      field,
      names,
      h("button.main", "Play"),
    ),
    wrong,
    // on a phone the header has no room for this
    [...document.querySelectorAll("header > a")].map((link) =>
      h("p", h("a", { href: link.href }, link.textContent), " on a board"),
    ),
  ]);
}

// the puzzle that a text asks for, or a message; names: of the bundled puzzles
function askedBy(text, names) {
  const name = text.toLowerCase();
  if (names.includes(name)) return { name };
  if (/^\d+$/.test(text)) {
    const most = MOST_SEED.toLocaleString("en");
    return Number(text) <= MOST_SEED ? { seed: Number(text) } : `${text}: expected a number from 0 to ${most}.`;
  }
  const row = name.replace(/\s/g, "");
  const wrong = [...row].find((letter) => !/[a-z?]/.test(letter));
  if (wrong)
    return `“${wrong}” in “${text}”: expected a row of letters a to z and ? for blanks, a number or a puzzle's name.`;
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
  const keys = KEYS.map(([key, act]) => h("tr", h("td.word", h("kbd", key)), h("td.word", act)));
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
      "Tap a tile of the row to draw up to it or to put it back, or move the slider. You may take turns back. ",
      "Grades mark turns that lost points: ?! some (from 0.5 % of the best score), ? many (1.5 %), ?? most (3 %).",
    ),
    h("p", h("a", { href: "solved.html" }, "How the challenge was solved")),
    hasKeys && h("table", h("tbody", keys)),
  ]);
}
