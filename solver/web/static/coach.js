// The first visit: a worked turn on a row of its own, so that it costs nothing. Each note stands above the game, and
// marks the part that it is about.

import { button, fill, h } from "../view/dom.js";
import { id } from "./page.js";
import { score } from "./rules.js";

export const LESSON = { row: "waltezoinres" };
const TURN = { left: 6, tiles: "waltz", word: "waltz" };

const points = ({ game }) => score(game.puzzle, TURN.tiles);
const sumOf = ({ game }) => [...TURN.tiles].map((tile, at) => `${at + 1}×${game.value(tile)}`).join(" + ");

// at: the part; act: what the button does
const STEPS = [
  {
    at: "strip",
    text: () =>
      "Each turn draws tiles from both ends of the row until your rack holds ten: green from the left, blue from the " +
      "right. The Z is sixth from the left. Tap it, or move the slider.",
    label: () => "Draw 6 from the left",
    act: (play) => play.choose(TURN.left),
  },
  {
    at: "rack",
    text: () => "These ten tiles are your rack now. Lay a word from it, such as WALTZ.",
    label: () => "Lay WALTZ",
    act: (play) => play.suggest(TURN),
  },
  {
    at: "word",
    text: (play) =>
      `A tile scores its place times its value: ${sumOf(play)} = ${points(play)}. Costly letters go last.`,
    label: (play) => `Play for ${points(play)}`,
    act: (play) => play.lay(),
  },
  {
    at: "undo",
    text: () =>
      "The other tiles stay on your rack. You may take turns back as often as you like: here, or with Ctrl Z.",
    label: () => "To the row of today",
  },
];

export class Coach {
  #number = STEPS.length; // of the step that is shown

  // ended: called when the visitor has seen the lesson or skipped it, and not opened another game
  constructor(play, ended) {
    Object.assign(this, { play, ended });
  }

  get isOn() {
    return this.#number < STEPS.length;
  }

  show(number = 0) {
    this.#number = number;
    const step = STEPS[number];
    for (const marked of document.querySelectorAll(".coached")) marked.classList.remove("coached");
    id("coach").hidden = !step;
    // the top, which "end" cannot scroll past
    if (!step) return id("standing").scrollIntoView({ block: "end" });
    id(step.at).classList.add("coached");
    fill(
      id("coach"),
      h("p", { role: "status" }, step.text(this.play)),
      h(
        "div.fields",
        button(step.label(this.play), () => this.next(), { class: "main" }),
        step.act && button("Skip", () => this.end()),
        h("span.quiet", `${number + 1} of ${STEPS.length}`),
      ),
    );
    id("coach").querySelector("button").focus({ preventScroll: true });
    // below the note, and above the buttons
    id(step.at).style.scrollMargin = `${id("coach").offsetHeight + 10}px 0 5rem`;
    id(step.at).scrollIntoView({ block: "nearest" });
  }

  next() {
    const number = this.#number;
    const { act } = STEPS[number];
    if (!act) return this.end();
    act(this.play);
    // a turn is played when the referee has accepted it, see `changed`
    if (number < 2) this.show(number + 1);
  }

  end() {
    this.show(STEPS.length);
    this.ended();
  }

  // the game has changed, see `Play`: the visitor has played a turn, or opened another game
  changed(kind) {
    if (!this.isOn) return;
    if (kind === "turn") this.show(STEPS.length - 1);
    else if (kind === "opened") this.show(STEPS.length);
  }
}
