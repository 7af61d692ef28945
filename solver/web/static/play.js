// The play in progress: the draw, the word, and the turns of the game. What it looks like is in row.js and hand.js.

import { positionOf } from "./api.js";
import { Game, laid } from "./game.js";
import { showHand, spoken } from "./hand.js";
import { shake } from "./motion.js";
import { failure, id, say } from "./page.js";
import { fill } from "../view/dom.js";
import { Row } from "./row.js";
import { lineOf } from "./rules.js";

export class Play {
  // changed: called with the kind of change, "opened", "turn" or "step", and after a turn with the lines that it
  // replaces; drawChanged: called when another draw was chosen
  constructor({ changed, drawChanged }) {
    this.changed = changed;
    this.drawChanged = drawChanged;
    this.game = null;
    this.asked = null; // the puzzle, as requests name it
    this.known = null; // what is known of the row, see known.js
    this.left = 0;
    this.word = ""; // letters, and ? where a blank waits for one
    this.forced = new Set(); // places of the word that need a blank
    this.busy = false;
    this.ended = new Set(); // games that are over, as their lines
    this.row = new Row(this);
    id("left").addEventListener("input", () => this.choose(Number(id("left").value)));
    id("lay").addEventListener("click", () => this.lay());
    id("clear").addEventListener("click", () => this.clear());
    id("undo").addEventListener("click", () => this.step("undo"));
    id("redo").addEventListener("click", () => this.step("redo"));
  }

  // undone: turns that redo plays again, next first; isOver: no word can be played any more
  open(asked, known, turns, undone, isOver) {
    this.asked = asked;
    this.known = known;
    this.game = new Game(known.puzzle, turns);
    this.game.undone = undone.toReversed();
    this.ended.clear();
    if (isOver) this.end();
    this.settle("opened");
  }

  get isOver() {
    return this.game !== null && this.ended.has(this.game.lines().join());
  }

  // the game is over: its score is one that can be reached
  end() {
    this.ended.add(this.game.lines().join());
    this.known.learn(this.game.lines());
  }

  // a position was reached: the draw begins in the middle
  settle(kind, message = "", replaced = null) {
    const drawSize = this.game.drawSize();
    this.left = this.game.isLastDraw ? drawSize : Math.floor(drawSize / 2);
    this.word = "";
    this.forced.clear();
    this.tell(message);
    this.show();
    this.changed(kind, replaced);
  }

  tell(message, bad = false) {
    id("message").textContent = message;
    id("message").classList.toggle("bad", bad);
  }

  choose(left) {
    const chosen = Math.max(0, Math.min(this.game.drawSize(), left));
    if (chosen === this.left) return;
    const from = this.row.places();
    this.left = chosen;
    this.word = "";
    this.forced.clear();
    this.tell("");
    this.showDraw();
    this.row.show();
    showHand(this, from);
    say(`${this.left} from the left: rack ${spoken(this.rack)}`);
    this.drawChanged();
  }

  get draw() {
    return this.game.draw(this.left);
  }

  get rack() {
    return this.draw.rack;
  }

  get tiles() {
    return laid(this.word, this.rack, this.forced);
  }

  type(letter) {
    if (this.isOver) return;
    const waiting = this.word.indexOf("?");
    if (waiting >= 0) {
      this.word = this.word.slice(0, waiting) + letter + this.word.slice(waiting + 1);
      this.force(letter, waiting);
    } else {
      this.word += letter;
    }
    this.tell("");
    this.showHand();
  }

  // a blank for a letter at `place`: of equal letters an earlier one takes it, which costs less
  force(letter, place) {
    const isEarlier = this.game.value(letter) >= this.game.value("?");
    const first = [...this.word].findIndex((other, at) => other === letter && !this.forced.has(at));
    this.forced.add(isEarlier ? first : place);
  }

  // a tile of the rack was clicked
  take(letter) {
    if (this.isOver) return;
    if (letter === "?" && this.word.includes("?")) return;
    this.word += letter;
    this.tell("");
    this.showHand();
  }

  back() {
    this.remove(this.word.length - 1);
  }

  remove(place) {
    if (place < 0) return;
    this.word = this.word.slice(0, place) + this.word.slice(place + 1);
    this.forced = new Set([...this.forced].filter((at) => at !== place).map((at) => (at > place ? at - 1 : at)));
    this.tell("");
    this.showHand();
  }

  canSwap(place) {
    return this.word[place] !== "?" && this.tiles !== null && this.swapped(place) !== null;
  }

  // a blank in place of a tile, or the other way round
  swap(place) {
    this.forced = this.swapped(place) ?? this.forced;
    this.showHand();
  }

  // the places of blanks after a swap; null where the rack does not allow it
  swapped(place) {
    const forced = new Set(this.forced);
    const before = this.tiles;
    if (this.tiles[place] === "?") {
      forced.delete(place);
      // the letter's own tile goes here: another place with the same letter takes the blank
      const same = [...this.word].findIndex(
        (letter, at) => at !== place && letter === this.word[place] && this.tiles[at] !== "?",
      );
      if (laid(this.word, this.rack, forced)?.[place] === "?" && same >= 0) forced.add(same);
    } else {
      forced.add(place);
      if (laid(this.word, this.rack, forced) === null) {
        const other = [...this.word].findIndex(
          (letter, at) => letter === this.word[place] && forced.has(at) && at !== place,
        );
        if (other >= 0) forced.delete(other);
      }
    }
    const after = laid(this.word, this.rack, forced);
    return after === null || after[place] === before[place] ? null : forced;
  }

  clear() {
    this.word = "";
    this.forced.clear();
    this.tell("");
    this.showHand();
  }

  // lay a play from the rack: { left, tiles, word }
  suggest({ left, tiles, word }) {
    if (left !== this.left) this.choose(left);
    this.word = word;
    this.forced = new Set([...tiles].flatMap((letter, place) => (letter === "?" ? [place] : [])));
    this.tell("");
    this.showHand();
    id("standing").scrollIntoView({ block: "nearest" }); // on a phone the plays stand below the rack and the word
  }

  async lay() {
    if (this.word.includes("?")) this.tell("Choose the letter of the blank first.", true);
    if (id("lay").disabled || this.busy) return;
    const turn = { left: this.left, tiles: this.tiles, word: this.word };
    const { game } = this;
    const { turns } = game;
    this.busy = true;
    // the first answer waits until the words have come
    const waiting = setTimeout(() => this.tell("Looking the word up …"), 300);
    try {
      const position = await positionOf(this.asked, [...game.lines(), lineOf(turn)]);
      // meanwhile another game may have been opened, or a turn taken back
      if (game !== this.game || turns !== game.turns) return;
      if (position.faults.length) {
        this.tell(position.faults.map((fault) => fault.message).join("; "), true);
        shake(id("word"));
        return;
      }
      const next = game.undone.at(-1);
      const replaced =
        next && lineOf(next) !== lineOf(turn) ? [...game.lines(), ...game.undone.toReversed().map(lineOf)] : null;
      game.play(turn);
      if (position.over) this.end();
      this.settle(
        "turn",
        `${turn.word}: ${position.score} points, ${position.total} in all${position.over ? ". The game is over." : ""}`,
        replaced,
      );
    } catch (error) {
      fill(id("message"), failure(error));
    } finally {
      clearTimeout(waiting);
      this.busy = false;
    }
  }

  step(which) {
    const before = this.game.turns.length;
    this.game[which]();
    if (this.game.turns.length !== before)
      this.settle("step", which === "undo" ? "One turn taken back." : "The turn is played again.");
  }

  // go to the position after `count` of these turns; redo plays the others again
  goTo(turns, count, message) {
    this.game.goTo(turns, count);
    this.settle("step", message);
  }

  show() {
    this.row.show();
    this.showDraw();
    const { isOver } = this;
    id("playing").hidden = id("lay").hidden = id("clear").hidden = id("hint").hidden = isOver;
    id("undo").disabled = !this.game.turns.length;
    id("redo").disabled = !this.game.undone.length;
    showHand(this);
  }

  showDraw() {
    const drawSize = this.game.drawSize();
    const isLast = this.game.isLastDraw;
    id("left").max = String(drawSize);
    id("left").value = String(this.left);
    id("draw").classList.toggle("last", isLast);
    id("left").hidden = id("right-text").hidden = isLast;
    const last = drawSize === 1 ? "The last tile is drawn" : `The last ${drawSize} tiles are drawn`;
    id("left-text").textContent = isLast ? (drawSize ? last : "") : `${this.left} left`;
    id("right-text").textContent = `${drawSize - this.left} right`;
    id("left").setAttribute("aria-valuetext", `${this.left} from the left, ${drawSize - this.left} from the right`);
  }

  showHand() {
    showHand(this);
  }
}
