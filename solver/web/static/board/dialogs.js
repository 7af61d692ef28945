// The dialogs of the page: a new game, the letter of a blank, the words of a challenge, rules and keys, a game step by
// step.

import { request } from "../requests.js";
import { button, fill, h, line } from "../../view/dom.js";
import { ScrabbleGame } from "../../view/scrabble.js";
import { dialog, id, messageOf } from "../page.js";
import { read, write } from "../store.js";

const NAMES = "rowdraw-scrabble-names";

// begin: called with names, tiles and whether the bot plays; it throws what the server refuses
export function newGame(begin, before, swap) {
  const known = read(NAMES) ?? [];
  const fields = Array.from({ length: 4 }, (_, at) =>
    h("input", {
      type: "text",
      id: `name-${at}`,
      maxlength: "20",
      autocomplete: "off",
      value: known[at] ?? `Player ${at + 1}`,
    }),
  );
  const labels = fields.map((field, at) => h("label", { for: field.id }, `Name ${at + 1}`));
  const option = (value, text) => h("option", { value }, text);
  const who = h(
    "select",
    { id: "who" },
    option("bot", "one, against the bot"),
    option("2", "two people"),
    option("3", "three people"),
    option("4", "four people"),
  );
  const tiles = h("select", { id: "tiles" }, option("english", "English"));
  request("board/sets", {}).then(({ sets }) =>
    fill(
      tiles,
      sets.map((name) => option(name, `${name[0].toUpperCase()}${name.slice(1).replace("_", " ")}`)),
    ),
  );
  const wrong = h("p", { role: "alert", class: "bad" });
  const count = () => (who.value === "bot" ? 1 : Number(who.value));
  const show = () => fields.forEach((field, at) => (field.hidden = labels[at].hidden = at >= count()));
  who.addEventListener("change", show);
  show();
  const goOn = () => {
    id("dialog").close();
    swap();
  };
  const start = async (event) => {
    event.preventDefault();
    const chosen = fields.slice(0, count()).map((field) => field.value);
    try {
      await begin(chosen, tiles.value, who.value === "bot");
    } catch (error) {
      wrong.textContent = messageOf(error);
      return;
    }
    write(NAMES, chosen);
    id("dialog").close();
  };
  dialog("New game", [
    h(
      "form",
      { onsubmit: start },
      h(
        "div.fields",
        h("label", { for: "who" }, "Players"),
        who,
        h("label", { for: "tiles" }, "Tiles and words"),
        tiles,
        fields.map((field, at) => [labels[at], field]),
      ),
      wrong,
      h("button", { type: "submit", class: "main" }, "Start"),
      " ",
      before && button("Go on with the game before", goOn, { id: "swap" }),
    ),
  ]);
  who.focus();
}

// choose one of the buttons by click or key; answer with its value, null if the dialog is closed
function choice(title, values, textOf, more = []) {
  return new Promise((chosen) => {
    const pick = (value) => {
      box.removeEventListener("close", closed);
      box.removeEventListener("keydown", typed);
      box.close();
      chosen(value);
    };
    const closed = () => pick(null);
    const typed = (event) => {
      const value = event.key.toUpperCase();
      if (!values.includes(value) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      pick(value);
    };
    const choosing = (value, text) => button(text, () => pick(value));
    const letters = values.map((value) => choosing(value, textOf(value)));
    const box = dialog(title, [h("div.letters", letters), more.map(([value, text]) => choosing(value, text))]);
    box.addEventListener("close", closed);
    box.addEventListener("keydown", typed);
    box.querySelector(".letters button").focus();
  });
}

// the letter of a blank; "" to take it back to the rack, where it is laid already
export const letterOf = (letters, isLaid) =>
  choice(
    isLaid ? "Another letter for the blank" : "Which letter is the blank?",
    letters,
    (letter) => letter,
    isLaid ? [["", "Back to the rack"]] : [],
  );

// the words of a play that the players rule out, where no word list decides; null: no challenge
export function wrongWords(words) {
  return new Promise((ruled) => {
    const boxes = words.map((_word, at) => h("input", { type: "checkbox", id: `word-${at}` }));
    let answer = null;
    const decide = (event) => {
      event.preventDefault();
      answer = words.filter((_, at) => boxes[at].checked);
      box.close();
    };
    const box = dialog("Which words are not valid?", [
      h(
        "form",
        { onsubmit: decide },
        h("p", "No word list is available, so the players decide."),
        words.map((word, at) => h("p", boxes[at], h("label", { for: `word-${at}` }, ` ${word}`))),
        h("button", { type: "submit", class: "main" }, "Decide"),
      ),
    ]);
    box.addEventListener("close", () => ruled(answer), { once: true });
  });
}

export async function stepThrough(game) {
  try {
    const shown = await request("board/show", { game });
    const stage = h("div", { class: "viewer", tabindex: "-1" });
    const view = new ScrabbleGame(stage, shown, { prefix: "shown-" });
    dialog("The game, move by move", [stage]).classList.add("viewing");
    id("shown-next").focus({ preventScroll: true });
    view.go(1);
    compare(game, view);
  } catch (error) {
    dialog("This game cannot be shown", [h("p.bad", messageOf(error))]);
  }
}

// the first time, the server reads its words; a game that cannot be compared is shown without it
async function compare(game, view) {
  let answer = { stage: "waiting" };
  while (answer.stage && view.root.isConnected) answer = await request("board/compare", { game }).catch(() => ({}));
  view.compare(answer.best ?? {});
}

const KEYS = [
  ["arrows", "move to a square"],
  ["Space", "across or down; on a tile just laid, take it back or change a blank"],
  ["letters", "lay a tile; a blank if the rack lacks the letter"],
  [".", "lay a blank and choose its letter"],
  ["Backspace", "take the last tile back"],
  ["Esc", "take all tiles back; leave the exchange"],
  ["Enter", "the coloured button: play, exchange, show the rack"],
  ["-", "exchange: letters choose tiles"],
  ["!", "challenge"],
  ["Ctrl Z", "undo, before the next player looks"],
  ["?", "this help"],
];

export const help = () =>
  dialog("Rules and keys", [
    h(
      "p",
      "Lay tiles in one row or column so that every line of two or more letters is a word; ",
      "the first play covers the centre. ",
      "Drag tiles, or click a square and then tiles, or type. ",
      "A blank is any letter, worth nothing; click it to change its letter until you play. ",
      "The next player may challenge a play before moving: a play with an invalid word is taken back.",
    ),
    h(
      "p",
      "The game is kept in this browser, and Save writes it as a GCG file, which rowdraw verify judges, ",
      "rowdraw show shows, and rowdraw scrabble play --resume goes on with.",
    ),
    h(
      "table.keys",
      h(
        "tbody",
        KEYS.map(([key, action]) => line(h("kbd", key), action)),
      ),
    ),
  ]);
