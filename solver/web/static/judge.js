// Anybody's answers, pasted or dropped: verdicts, the best first, and each opens turn by turn with its faults on the row.

import { ask, Refused } from "./api.js";
import { showGames } from "./show.js";
import { fill, h } from "../view/dom.js";
import { id } from "./page.js";

const LARGEST = 150_000; // characters of all files

export class Judge {
  constructor(play, open) {
    this.play = play;
    this.open = open;
    this.files = null; // [{ name, text }] where the text is that of files
    this.text = h("textarea", { oninput: () => (this.files = null), id: "answers", rows: "10", spellcheck: "false", placeholder: "6 s?l?mnize solemnize\n…" });
    this.found = h("div", { id: "verdicts", "aria-live": "polite" });
    const files = h("input", { type: "file", multiple: true, id: "files", onchange: () => this.read(files.files) });
    const area = h("div", { class: "drop" },
      h("label", { for: "answers" }, "Paste a comment, an answer, or a whole page of answers; or drop files here"),
      this.text,
      h("div", { class: "fields" }, h("button", { type: "button", class: "main", onclick: () => this.judge() }, "Judge"), h("label", { for: "files", class: "unseen" }, "Files"), files));
    area.addEventListener("dragover", (event) => event.preventDefault());
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      this.read(event.dataTransfer.files);
    });
    fill(id("view-judge"), h("h2", {}, "What the referee says"), area, this.found);
  }

  async read(files) {
    const told = [...files].map(async (file) => ({ name: file.name, text: file.size > LARGEST ? `(${file.name} is too large)` : await file.text() }));
    this.files = await Promise.all(told);
    this.text.value = this.files.map(({ name, text }) => `${name}:\n${text}`).join("\n\n").slice(0, LARGEST);
    await this.judge();
  }

  async judge() {
    const { asked } = this.play;
    const sources = this.files ?? [{ name: "Answer", text: this.text.value.slice(0, LARGEST) }];
    const verdicts = [];
    try {
      // each by itself: an answer ends with its file
      for (const { name, text } of sources) {
        const told = await ask("judge", { puzzle: asked, text });
        verdicts.push(...told.map((verdict, number) => ({ ...verdict, number, asked, text, name: told.length > 1 ? `${name} ${number + 1}` : name })));
      }
      verdicts.sort((one, other) => other.valid - one.valid || other.score - one.score);
      fill(this.found, h("table", {},
        h("thead", {}, h("tr", {}, ["place", "score", "turns", "who", "verdict", ""].map((name) => h("th", {}, name)))),
        h("tbody", {}, verdicts.map((verdict, place) => this.line(verdict, place)))));
    } catch (error) {
      fill(this.found, h("p", { class: "bad" }, error instanceof Refused ? error.message : "The server does not answer."));
    }
  }

  line(verdict, place) {
    const own = verdict.faults.filter((fault) => !fault.follows);
    const first = own[0];
    return h("tr", {},
      h("td", {}, verdict.valid ? String(place + 1) : "–"),
      h("td", {}, String(verdict.score)),
      h("td", {}, String(verdict.turns.length)),
      h("td", { class: "word" }, verdict.name),
      h("td", { class: "word" }, verdict.valid ? `valid on ${verdict.puzzle}` : h("span", { class: "bad" }, `invalid: line ${first.line}: ${first.message}${own.length > 1 ? ` (and ${own.length - 1} more)` : ""}`)),
      h("td", {}, verdict.turns.length ? this.buttons(verdict) : ""));
  }

  buttons(verdict) {
    const { game, asked } = this.play;
    const it = { puzzle: verdict.asked, text: verdict.text, number: verdict.number, name: verdict.name };
    const same = verdict.puzzle === game.puzzle.name;
    const playOn = verdict.valid && same ? (lines) => this.open(lines) : null;
    const yours = { puzzle: asked, text: game.lines().join("\n"), number: 0, name: "Your game" };
    return [
      h("button", { type: "button", onclick: () => showGames([it], playOn) }, verdict.valid ? "Show" : "Show the fault"),
      same && game.turns.length > 0 && h("button", { type: "button", onclick: () => showGames([it, yours], playOn) }, "Against yours"),
    ];
  }
}
