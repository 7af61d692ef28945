// The first visit: a worked first turn in three taps, each next to the part of the page that it is about.

import { fill, h } from "../view/dom.js";
import { playsOf } from "./api.js";
import { fail, id } from "./page.js";

// at: the part; under: whether the note stands below it; turn: the worked turn. The first note is shown before the
// words have come, so only its `act` knows the turn
const STEPS = [
  {
    at: "strip",
    under: true,
    text: ({ game }) =>
      `Each turn, draw ${game.hand().drawSize} tiles from both ends: some from the left, the rest from the right.`,
    label: () => "Draw",
    act: (play, { left }) => play.choose(left),
  },
  {
    at: "rack",
    text: (_play, { left, word }) =>
      `${left} from the left and the rest: this is your rack. Lay a word from it, such as ${word.toUpperCase()}.`,
    label: () => "Lay a word",
    act: (play, turn) => play.suggest(turn),
  },
  {
    at: "word",
    text: ({ game }, { tiles, score }) => {
      const points = [...tiles].map((letter, place) => `${place + 1}×${game.value(letter)}`).join(" + ");
      return `A tile scores its place times its value: ${points} = ${score}. Costly letters go last.`;
    },
    label: (_play, { score }) => `Play for ${score}`,
    act: (play) => play.lay(),
  },
];

export class Coach {
  #number = STEPS.length; // of the step that is shown
  #turn = null;

  // ended: called when the visitor has played the turn or skipped it
  constructor(play, ended) {
    Object.assign(this, { play, ended });
    this.note = h("div", { id: "coach", role: "region", "aria-label": "Your first turn", hidden: true });
    id("board").append(this.note);
  }

  begin() {
    this.#number = 0;
    this.show();
  }

  show() {
    const step = STEPS[this.#number];
    for (const marked of document.querySelectorAll(".coached")) marked.classList.remove("coached");
    this.note.hidden = !step;
    if (!step) return;
    const part = id(step.at);
    part.classList.add("coached");
    fill(
      this.note,
      h("p", step.text(this.play, this.#turn)),
      h(
        "div.fields",
        h("button.main", { type: "button", onclick: () => this.next() }, step.label(this.play, this.#turn)),
        h("button", { type: "button", onclick: () => this.end() }, "Skip"),
        h("span.quiet", `${this.#number + 1} of ${STEPS.length}`),
      ),
    );
    const board = id("board").getBoundingClientRect();
    const box = part.getBoundingClientRect();
    const top = box.top - board.top + id("board").scrollTop;
    this.note.style.top = `${step.under ? top + box.height + 12 : top - this.note.offsetHeight - 12}px`;
    this.note.querySelector("button").focus({ preventScroll: true });
  }

  async next() {
    const { play } = this;
    const number = this.#number;
    try {
      this.#turn ??= workedTurn(await playsOf(play.asked, []), play.left);
    } catch (error) {
      fail(id("message"), error);
      return;
    }
    // meanwhile it may have been pressed again, or ended
    if (number !== this.#number) return;
    this.#number++;
    STEPS[number].act(play, this.#turn);
    this.show();
    if (this.#number === STEPS.length) this.ended();
  }

  // skipped, or the visitor played a turn or opened another game
  end() {
    if (this.note.hidden) return;
    this.#number = STEPS.length;
    this.show();
    this.ended();
  }
}

// a word of many points without a blank, which is worth more later; after another draw than the one that is shown
function workedTurn(draws, shown) {
  const turns = draws.flatMap(({ left, plays }) => plays.map((play) => ({ ...play, left })));
  const plain = turns.filter(({ left, tiles }) => left !== shown && left > 0 && !tiles.includes("?"));
  return plain.sort((one, other) => other.score - one.score)[0] ?? turns[0];
}
