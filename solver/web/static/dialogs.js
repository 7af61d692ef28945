// The dialogs of the page: a new game, and the rules.

import { recordBook } from "./api.js";
import { button, fill, h, line, tile } from "../view/dom.js";
import { dialog, id, VERBATIM } from "./page.js";

// open: opens a puzzle, and returns a message if it cannot; own: the puzzle that the server was started with, or null
export function newGame(open, own) {
  const wrong = h("p", { role: "alert", class: "bad" });
  const names = h("datalist", { id: "bundled" });
  const start = (label, id, asked) => button(label, () => begin(asked), { id });
  const field = h("input", { id: "what", list: "bundled", placeholder: "shuffled-01", ...VERBATIM });
  const begin = async (asked) => {
    wrong.textContent = await open(asked);
    if (!wrong.textContent) id("dialog").close();
  };
  const submit = (event) => {
    event.preventDefault();
    const known = [...names.children].map((option) => option.value);
    begin(askedBy(field.value.trim().toLowerCase(), known));
  };
  const list = (all) =>
    fill(
      names,
      all.map(({ puzzle }) => h("option", { value: puzzle })),
    );
  recordBook().then(list, () => {});
  const any = { seed: Math.floor(Math.random() * 1e6) };
  dialog("New game", [
    h(
      "div.fields",
      own && start("The puzzle of this server", "own", own),
      start("The challenge", "challenge", { name: "challenge" }),
      start("Any shuffled row", "any", any),
    ),
    h(
      "form",
      { class: "fields", onsubmit: submit, novalidate: true },
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

// the puzzle that a text asks for; names: of the bundled puzzles
function askedBy(text, names) {
  if (names.includes(text)) return { name: text };
  return /^\d+$/.test(text) ? { seed: Number(text) } : { row: text.replace(/\s/g, "") };
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
  const keys = KEYS.map(([key, act]) => line(h("td.word", h("kbd", key)), h("td.word", act)));
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
