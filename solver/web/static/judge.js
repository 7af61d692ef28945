// Verdicts on pasted or dropped answers, best first; each opens turn by turn with its faults.

import { judged, puzzleOf, verdictsOn } from "./api.js";
import { Refused } from "./failures.js";
import { showGames } from "./show.js";
import { button, fill, h } from "../view/dom.js";
import { counted, failure, id } from "./page.js";
import { keepText, keptText } from "./store.js";

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
// what is right of answers: their legal turns, and one more for each that is valid
const rightOf = (verdicts) => verdicts.reduce((all, { turns, valid }) => all + turns + valid, 0);

const LARGEST = 150_000; // characters of a text
const GCG = /^(?:#player[12] |>\w+: \S+ \S+ )/m; // lines of a game of Scrabble

export class Judge {
  // open: called with a puzzle, as a request names it, and the lines of a game to play on
  constructor(play, open) {
    this.play = play;
    this.open = open;
    this.asking = 0; // counts requests: only the last one's verdicts are shown
    this.files = null; // [{ name, text }] where the text is that of files
    this.verdicts = [];
    this.refused = []; // why sources were not judged
    this.text = h("textarea", {
      oninput: () => this.typed(),
      id: "answers",
      rows: "10",
      spellcheck: "false",
      placeholder: "6 s?l?mnize solemnize\n…",
    });
    this.text.value = keptText();
    this.first = null; // the puzzle of answers that name none: the challenge, or the server's own
    this.on = h("select", { id: "judged-on" });
    this.found = h("div", { id: "verdicts", "aria-live": "polite" });
    const files = h("input", {
      type: "file",
      multiple: true,
      id: "files",
      class: "unseen",
      onchange: () => this.read(files.files),
    });
    const area = h(
      "div.card.drop",
      h("label", { for: "answers" }, judged),
      this.text,
      h("label", "Answers that name no puzzle are judged on ", this.on),
      h(
        "div.fields",
        button("Judge", () => this.judge(), { class: "main" }),
        h("label.file", "Choose files …", files),
      ),
    );
    area.addEventListener("dragover", (event) => event.preventDefault());
    area.addEventListener("drop", (event) => {
      // text that is dropped goes into the field by itself
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.read(event.dataTransfer.files);
    });
    fill(id("view-judge"), h("h2", "What the referee says"), area, this.found);
  }

  // name: of the puzzle that is open
  async show(name) {
    this.list(); // the player's own game may have changed
    this.first ??= await puzzleOf({ own: true });
    const isOther = this.first.name !== name;
    fill(
      this.on,
      h("option", { value: "" }, this.first.name, isOther && `, or else ${name}`),
      isOther && h("option", { value: "open" }, name),
    );
  }

  // the puzzles to judge on, the first one first
  get puzzles() {
    const open = this.play.asked;
    if (this.on.value || isSame(this.first.asked, open)) return [open];
    return [this.first.asked, open];
  }

  typed() {
    this.files = null;
    keepText(this.text.value);
  }

  async read(files) {
    if (!files.length) return;
    this.files = await Promise.all(
      [...files].map(async (file) => ({ name: file.name, text: file.size > LARGEST ? null : await file.text() })),
    );
    this.text.value = this.files
      .map(({ name, text }) => `${name}:\n${text ?? "(too large)"}`)
      .join("\n\n")
      .slice(0, LARGEST);
    keepText(this.text.value);
    await this.judge();
  }

  async judge() {
    if (!this.play.asked) return fill(this.found, h("p.bad", "The row is still loading: try again in a moment."));
    const asking = ++this.asking;
    const verdicts = [];
    const refused = [];
    const take = async ({ name, text }) => {
      const found = await this.verdictsOn(text);
      const numbered = (number) => (found.length > 1 ? `Answer ${number + 1}` : "");
      found.forEach((verdict, number) => {
        const names = [name, verdict.name || numbered(number)];
        verdicts.push({ ...verdict, name: names.filter(Boolean).join(": ") || "Answer" });
      });
    };
    try {
      this.first ??= await puzzleOf({ own: true });
      // each by itself: an answer ends with its file
      for (const source of this.files ?? [{ text: this.text.value }]) {
        await take(source).catch((error) => {
          if (!(error instanceof Refused)) throw error;
          refused.push([source.name, error.message].filter(Boolean).join(": "));
        });
      }
    } catch (error) {
      if (asking === this.asking) fill(this.found, failure(error));
      return;
    }
    if (asking !== this.asking) return;
    this.verdicts = verdicts.sort((one, other) => other.valid - one.valid || other.score - one.score);
    this.refused = refused;
    this.list();
  }

  // the verdicts on the first puzzle, unless more turns are right on the second
  async verdictsOn(text) {
    if (text === null || text.length > LARGEST)
      throw new Refused(`The text is too large: expected at most ${counted(LARGEST, "character")}.`);
    if (GCG.test(text)) {
      throw new Refused("This is a game of Scrabble: rowdraw verify judges it, and the Scrabble page opens it.");
    }
    const [first, second] = this.puzzles;
    if (!second) return verdictsOn(first, text);
    const [one, other] = await Promise.allSettled([verdictsOn(first, text), verdictsOn(second, text)]);
    if (other.value && rightOf(other.value) > rightOf(one.value ?? [])) return other.value;
    if (one.value) return one.value;
    throw one.reason;
  }

  list() {
    fill(
      this.found,
      this.refused.map((message) => h("p.bad", message)),
      this.verdicts.length > 0 &&
        h(
          "div.card",
          this.verdicts.map((verdict, place) => this.line(verdict, place)),
        ),
    );
  }

  line(verdict, place) {
    const { valid, score, faults, turns, name, puzzle, notes = [] } = verdict;
    const [{ line, message } = {}] = faults; // line 0 is the answer as a whole
    const summary = valid
      ? `valid on ${puzzle}, ${counted(turns, "turn")}`
      : h("span.bad", `invalid on ${puzzle}: ${line ? `line ${line}: ` : ""}${message}`);
    return h(
      "div.entry",
      h(
        "div",
        h("div", valid ? `${place + 1}. ` : "", h("strong", name)),
        summary,
        notes.map((note) => h("div.quiet", note)),
      ),
      h("b", score),
      (turns > 0 || line > 0) && this.buttons(verdict),
    );
  }

  buttons(verdict) {
    const { valid, asked } = verdict;
    const playOn = valid && asked ? (lines) => this.open(asked, lines) : null;
    const { game } = this.play;
    const own =
      isSame(asked, this.play.asked) && game.turns.length > 0
        ? [{ name: "Your game", asked, lines: game.lines() }]
        : [];
    const show = (label, others) => button(label, () => showGames([verdict, ...others], playOn));
    return [show(valid ? "Show" : "Show the fault", []), own.length > 0 && show("Against yours", own)];
  }
}
