// Anybody's answers, pasted or dropped: verdicts, the best first, and each opens turn by turn with its faults on the row.

import { ask, messageOf } from "./api.js";
import { showGames } from "./show.js";
import { fill, h, head } from "../view/dom.js";
import { id } from "./page.js";

const LARGEST = 150_000; // characters of a text

export class Judge {
  // open: called with a puzzle as asked and the lines of a game to play on
  constructor(play, open) {
    this.play = play;
    this.open = open;
    this.asking = 0; // counts requests: only the last one's verdicts are shown
    this.files = null; // [{ name, text }] where the text is that of files
    this.text = h("textarea", { oninput: () => (this.files = null), id: "answers", rows: "10", spellcheck: "false", placeholder: "6 s?l?mnize solemnize\n…" });
    this.on = h("span", {});
    this.found = h("div", { id: "verdicts", "aria-live": "polite" });
    const files = h("input", { type: "file", multiple: true, id: "files", onchange: () => this.read(files.files) });
    const area = h("div", { class: "drop" },
      h("label", { for: "answers" }, "Paste a comment, an answer, or a whole page of answers; or drop files here. ", this.on),
      this.text,
      h("div", { class: "fields" }, h("button", { type: "button", class: "main", onclick: () => this.judge() }, "Judge"), h("label", { for: "files", class: "unseen" }, "Files"), files));
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
  }

  async read(files) {
    if (!files.length) return;
    this.files = await Promise.all([...files].map(async (file) => ({ name: file.name, text: file.size > LARGEST ? null : await file.text() })));
    this.text.value = this.files.map(({ name, text }) => `${name}:\n${text ?? "(too large)"}`).join("\n\n").slice(0, LARGEST);
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
        const found = await ask("judge", { puzzle: asked, text });
        verdicts.push(...found.map((verdict, number) => ({ ...verdict, judged: { puzzle: asked, text, number, name: found.length > 1 ? `${name} ${number + 1}` : name } })));
      }
      if (asking !== this.asking) return;
      verdicts.sort((one, other) => other.valid - one.valid || other.score - one.score);
      fill(
        this.found,
        large.map(({ name }) => h("p", { class: "bad" }, `${name} is too large: expected at most ${LARGEST.toLocaleString("en")} characters.`)),
        verdicts.length > 0 && h("table", {}, head("place", "score", "turns", "who", "verdict", ""), h("tbody", {}, verdicts.map((verdict, place) => this.line(verdict, place)))),
      );
    } catch (error) {
      if (asking === this.asking) fill(this.found, h("p", { class: "bad" }, messageOf(error)));
    }
  }

  line(verdict, place) {
    const own = verdict.faults.filter((fault) => !fault.follows);
    const [first] = own;
    return h("tr", {},
      h("td", {}, verdict.valid ? String(place + 1) : "–"),
      h("td", {}, String(verdict.score)),
      h("td", {}, String(verdict.turns.length)),
      h("td", { class: "word" }, verdict.judged.name),
      h("td", { class: "word" }, verdict.valid ? `valid on ${verdict.puzzle}` : h("span", { class: "bad" }, `invalid: line ${first.line}: ${first.message}${own.length > 1 ? ` (and ${own.length - 1} more)` : ""}`)),
      h("td", {}, verdict.turns.length ? this.buttons(verdict) : ""));
  }

  buttons({ judged, valid, asked }) {
    const playOn = valid && asked ? (lines) => this.open(asked, lines) : null;
    const against = () => {
      const { game } = this.play;
      const isSame = JSON.stringify(asked) === JSON.stringify(this.play.asked) && game.turns.length > 0;
      const yours = { puzzle: asked, text: game.lines().join("\n"), number: 0, name: "Your game" };
      showGames(isSame ? [judged, yours] : [judged], playOn);
    };
    return [
      h("button", { type: "button", onclick: () => showGames([judged], playOn) }, valid ? "Show" : "Show the fault"),
      h("button", { type: "button", onclick: against }, "Against yours"),
    ];
  }
}
