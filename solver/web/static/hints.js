// Hints: one press names the draw and the length of the word, the next one lays the word down.

import { counted, TOO_LARGE } from "./page.js";

export class Hints {
  // given: called with each hint
  constructor(play, given) {
    Object.assign(this, { play, onGiven: given });
    this.state = ""; // the position of the hints given
    this.given = 0;
    this.waits = false; // until a good play is known
  }

  // the next hint
  next() {
    const { game, known, isOver } = this.play;
    if (!game || isOver) return;
    const state = game.lines().join();
    if (this.state !== state) Object.assign(this, { state, given: 0 });
    const [best] = known.lines(game);
    this.waits = !best;
    if (!best) {
      const why = game.puzzle.solvable ? "Looking for a good play …" : TOO_LARGE;
      this.play.tell(why);
      return;
    }
    this.given++;
    if (this.given <= 2) this.onGiven(); // the word can be seen again
    const { left, word } = best.turn;
    if (this.given > 1) this.play.suggest(best.turn);
    else this.play.choose(left);
    this.play.tell(
      this.given > 1
        ? `${word.toUpperCase()} for ${counted(best.points, "point")}: the best play found.`
        : `Draw ${left} from the left: the best word found has ${counted(word.length, "letter")}.`,
    );
  }

  // more is known
  update() {
    if (this.waits && this.state === this.play.game.lines().join()) this.next();
  }
}
