// Hints in steps: the draw, the length of the word, its first letter, and then the word itself.

import { counted } from "./page.js";

const STEPS = [
  ({ turn }) => `Draw ${counted(turn.left, "tile")} from the left.`,
  ({ turn }) => `Draw ${turn.left} from the left, and play a word of ${counted(turn.word.length, "letter")}.`,
  ({ turn }) => `Draw ${turn.left} from the left; the word has ${counted(turn.word.length, "letter")} and begins with ${turn.word[0].toUpperCase()}.`,
];

export class Hints {
  // given: called with each hint
  constructor(play, given) {
    this.play = play;
    this.onGiven = given;
    this.state = ""; // the position of the hints given
    this.given = 0;
    this.waits = false; // until a good play is known
  }

  // the next hint
  next() {
    const { game, known, isOver } = this.play;
    if (!game || isOver) return;
    if (this.state !== game.lines().join()) Object.assign(this, { state: game.lines().join(), given: 0 });
    const [best] = known.lines(game);
    this.waits = !best;
    if (!best) {
      this.play.tell(game.puzzle.solvable ? "Looking for a good play …" : "This row is too large to be searched here.");
      return;
    }
    if (this.given <= STEPS.length) this.onGiven(); // the last one can be seen again
    const step = STEPS[this.given];
    this.given = Math.min(this.given + 1, STEPS.length + 1);
    if (!step) this.play.suggest(best.turn);
    this.play.tell(step ? step(best) : `${best.turn.word.toUpperCase()} for ${counted(best.points, "point")}: the best play found.`);
  }

  // more is known
  update() {
    if (this.waits && this.state === this.play.game.lines().join()) this.next();
  }
}
