// Anybody's answers, pasted or dropped: verdicts, the best first, and each opens on the row.

import { ask, Refused } from "./api.js";
import { fill, h, id } from "./dom.js";

const LARGEST = 150_000; // characters of all files

export class Judge {
  constructor(play, open) {
    this.play = play;
    this.open = open;
    this.text = h("textarea", { id: "answers", rows: "10", spellcheck: "false", placeholder: "6 s?l?mnize solemnize\n…" });
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
    const texts = await Promise.all([...files].map((file) => (file.size > LARGEST ? `(${file.name} is too large)` : file.text())));
    this.text.value = texts.join("\n\n\n").slice(0, LARGEST);
    await this.judge();
  }

  async judge() {
    const { asked, game } = this.play;
    try {
      const verdicts = await ask("judge", { puzzle: asked, text: this.text.value.slice(0, LARGEST) });
      verdicts.sort((one, other) => other.valid - one.valid || other.score - one.score);
      fill(this.found, h("table", {},
        h("thead", {}, h("tr", {}, ["place", "score", "verdict", "turns", ""].map((name) => h("th", {}, name)))),
        h("tbody", {}, verdicts.map((verdict, place) => this.line(verdict, place, game)))));
    } catch (error) {
      fill(this.found, h("p", { class: "bad" }, error instanceof Refused ? error.message : "The server does not answer."));
    }
  }

  line(verdict, place, game) {
    const own = verdict.faults.filter((fault) => !fault.follows);
    const first = own[0];
    const here = verdict.puzzle === game.puzzle.name || verdict.puzzle === "";
    return h("tr", {},
      h("td", {}, verdict.valid ? String(place + 1) : "–"),
      h("td", {}, String(verdict.score)),
      h("td", {}, verdict.valid ? `valid on ${verdict.puzzle}` : h("span", { class: "bad" }, `invalid: line ${first.line}: ${first.message}${own.length > 1 ? ` (and ${own.length - 1} more)` : ""}`)),
      h("td", {}, String(verdict.turns.length)),
      h("td", {}, here && verdict.turns.length ? h("button", { type: "button", onclick: () => this.show(verdict, first) }, verdict.valid ? "Show" : "Show the fault") : ""));
  }

  show(verdict, first) {
    this.open(verdict.turns, first && `Line ${first.line}: ${first.message}`);
  }
}
