// Verdicts on pasted or dropped answers, best first; each opens turn by turn with its faults.

import { verdictsOn } from "./api.js";
import { showGames } from "./show.js";
import { fill, h, head } from "../view/dom.js";
import { fail, id } from "./page.js";
import { keepText, keptText } from "./store.js";

const LARGEST = 150_000; // characters of a text

export class Judge {
  // open: called with a puzzle, as a request names it, and the lines of a game to play on
  constructor(play, open) {
    this.play = play;
    this.open = open;
    this.asking = 0; // counts requests: only the last one's verdicts are shown
    this.files = null; // [{ name, text }] where the text is that of files
    this.verdicts = [];
    this.large = []; // sources that are too large
    this.text = h("textarea", { oninput: () => this.typed(), id: "answers", rows: "10", spellcheck: "false", placeholder: "6 s?l?mnize solemnize\n…" });
    this.text.value = keptText();
    this.on = h("span", {});
    this.found = h("div", { id: "verdicts", "aria-live": "polite" });
    const files = h("input", { type: "file", multiple: true, id: "files", class: "unseen", onchange: () => this.read(files.files) });
    const area = h("div", { class: "drop" },
      h("label", { for: "answers" }, "Paste a comment, an answer, or a whole page of answers; or drop files here. ", this.on),
      this.text,
      h("div", { class: "fields" }, h("button", { type: "button", class: "main", onclick: () => this.judge() }, "Judge"), h("label", { class: "file" }, "Choose files …", files)));
    area.addEventListener("dragover", (event) => event.preventDefault());
    area.addEventListener("drop", (event) => {
      // text that is dropped goes into the field by itself
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.read(event.dataTransfer.files);
    });
    fill(id("view-judge"), h("h2", {}, "What the referee says"), area, this.found);
  }

  // name: of the puzzle that is open
  show(name) {
    this.on.textContent = `Answers that name no puzzle are judged on: ${name}.`;
    this.list(); // the player's own game may have changed
  }

  typed() {
    this.files = null;
    keepText(this.text.value);
  }

  async read(files) {
    if (!files.length) return;
    this.files = await Promise.all([...files].map(async (file) => ({ name: file.name, text: file.size > LARGEST ? null : await file.text() })));
    this.text.value = this.files.map(({ name, text }) => `${name}:\n${text ?? "(too large)"}`).join("\n\n").slice(0, LARGEST);
    keepText(this.text.value);
    await this.judge();
  }

  async judge() {
    const { asked } = this.play;
    const asking = ++this.asking;
    const sources = this.files ?? [{ name: "Answer", text: this.text.value }];
    const large = sources.filter(({ text }) => text === null || text.length > LARGEST);
    const verdicts = [];
    try {
      // each by itself: an answer ends with its file
      for (const { name, text } of sources.filter((source) => !large.includes(source))) {
        const found = await verdictsOn(asked, text);
        const called = (verdict, number) => verdict.name || (found.length > 1 ? `Answer ${number + 1}` : "");
        const named = (verdict, number) => [this.files && name, called(verdict, number)].filter(Boolean).join(": ") || name;
        verdicts.push(...found.map((verdict, number) => ({ ...verdict, judged: { puzzle: asked, text, number, name: named(verdict, number) } })));
      }
      if (asking !== this.asking) return;
      this.verdicts = verdicts.sort((one, other) => other.valid - one.valid || other.score - one.score);
      this.large = large;
      this.list();
    } catch (error) {
      if (asking !== this.asking) return;
      this.verdicts = this.large = [];
      const line = h("p", {});
      fill(this.found, line);
      fail(line, error);
    }
  }

  list() {
    fill(
      this.found,
      this.large.map(({ name }) => h("p", { class: "bad" }, `${name} is too large: expected at most ${LARGEST.toLocaleString("en")} characters.`)),
      this.verdicts.length > 0 && h("table", {}, head("place", "score", "turns", "who", "verdict", ""), h("tbody", {}, this.verdicts.map((verdict, place) => this.line(verdict, place)))),
    );
  }

  line(verdict, place) {
    const own = verdict.faults.filter((fault) => !fault.follows);
    const text = ([{ line, message }]) => `${line ? `line ${line}: ` : ""}${message}`; // line 0 is the answer as a whole
    return h("tr", {},
      h("td", {}, verdict.valid ? String(place + 1) : "–"),
      h("td", {}, String(verdict.score)),
      h("td", {}, String(verdict.turns.length)),
      h("td", { class: "word" }, verdict.judged.name),
      h("td", { class: "word" }, verdict.valid ? `valid on ${verdict.puzzle}` : h("span", { class: "bad" }, `invalid: ${text(own)}${own.length > 1 ? ` (and ${own.length - 1} more)` : ""}`)),
      h("td", {}, verdict.turns.length ? this.buttons(verdict) : ""));
  }

  buttons({ judged, valid, asked }) {
    const playOn = valid && asked ? (lines) => this.open(asked, lines) : null;
    const { game } = this.play;
    const hasGame = JSON.stringify(asked) === JSON.stringify(this.play.asked) && game.turns.length > 0;
    const against = () => showGames([judged, { puzzle: asked, text: game.lines().join("\n"), number: 0, name: "Your game" }], playOn);
    return [
      h("button", { type: "button", onclick: () => showGames([judged], playOn) }, valid ? "Show" : "Show the fault"),
      hasGame && h("button", { type: "button", onclick: against }, "Against yours"),
    ];
  }
}
