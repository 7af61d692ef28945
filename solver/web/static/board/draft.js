// The move in progress: tiles laid on the board or chosen for an exchange, the cursor, and what the play would score.

import { request } from "../requests.js";
import { messageOf } from "../page.js";
import { letterOf } from "./dialogs.js";
import { Hand, tilesOf, written } from "./hand.js";

const sorted = (text) => written(tilesOf(text ?? "").sort());

export class Draft {
  // draw: called after every change
  constructor(table, draw) {
    this.table = table;
    this.draw = draw;
    this.hand = new Hand();
    this.focus = [7, 7]; // the square that the Tab key reaches, and the cursor's
    this.way = ""; // in which the cursor goes on, "across" or "down"; without one there is no cursor
    this.requests = 0; // only the answer to the last one counts
    this.reset();
  }

  reset() {
    this.requests++;
    this.exchanging = false;
    this.way = "";
    this.play = null; // what the server says of the tiles laid: { place, score, words }
    this.notice = ["", false]; // the message, and whether it is about a fault
  }

  // take the rack of a new position, with the cursor where the last play began, since that may be taken back; after a
  // reload the tiles are where they were laid
  begin() {
    const { position, stage, kept } = this.table;
    const [first] = this.hand.order;
    if (first) this.focus = first.at;
    const keeps = kept?.game === position.game && stage === "move";
    const order = keeps && sorted(kept.tiles) === sorted(position.rack) ? kept.tiles : position.rack;
    this.hand = stage === "cover" || stage === "over" ? new Hand() : new Hand(order, keeps ? kept.laid : []);
    this.table.kept = null;
    this.reset();
    // the heading says that the game is over
    if (stage !== "over") this.notice = [position.messages.join(". "), false];
    this.keep();
    if (this.hand.order.length) this.preview();
  }

  keep() {
    this.table.keep({ laid: this.hand.laid(), tiles: this.hand.text });
  }

  tell(text) {
    this.notice = [text, true];
    this.draw();
  }

  get isMoving() {
    return this.table.stage === "move" && !this.exchanging && !this.table.busy;
  }

  has([row, column]) {
    return this.table.position.squares[row]?.[column] !== undefined;
  }

  isFree(at) {
    const isTaken = this.table.position.grid.some(([row, column]) => row === at[0] && column === at[1]);
    return this.has(at) && !isTaken && !this.hand.at(...at);
  }

  // the first free square from one on, in the way of the cursor; null if there is none
  nextFree([row, column]) {
    const [down, right] = this.way === "down" ? [1, 0] : [0, 1];
    let at = [row, column];
    while (this.has(at) && !this.isFree(at)) at = [at[0] + down, at[1] + right];
    return this.has(at) ? at : null;
  }

  // tiles were laid or taken back
  laid() {
    this.requests++;
    this.play = null;
    this.notice = ["", false];
    this.keep();
    this.draw();
    if (this.hand.order.length) this.preview();
  }

  async preview() {
    const number = ++this.requests;
    let [play, notice] = [null, this.notice];
    try {
      play = await request("board/preview", { game: this.table.position.game, laid: this.hand.laid() });
    } catch (error) {
      // the first tile is rarely a play
      if (this.hand.order.length > 1) notice = [messageOf(error), false];
    }
    if (number !== this.requests) return;
    Object.assign(this, { play, notice });
    this.draw();
  }

  letterOf(isLaid) {
    return letterOf(Object.keys(this.table.position.values), isLaid);
  }

  // return whether the tile was laid
  async lay(tile, at, letter = tile.tile) {
    if (!this.isFree(at)) return false;
    const chosen = letter === "?" ? await this.letterOf(false) : letter;
    if (!chosen || !this.isMoving || !this.hand.tiles.includes(tile) || !this.isFree(at)) return false;
    this.hand.lay(tile, ...at, chosen);
    this.laid();
    return true;
  }

  // lay a tile at the cursor, which goes on to the next free square
  async layNext(tile, letter) {
    const at = this.nextFree(this.focus);
    if (!at) return this.tell("The board ends here: choose another square.");
    if (!(await this.lay(tile, at, letter))) return;
    this.focus = this.nextFree(at) ?? at;
    this.draw();
  }

  async tapSquare(at) {
    if (!this.isMoving) return;
    const isHere = this.way && String(at) === String(this.focus);
    this.focus = at;
    const laid = this.hand.at(...at);
    const [chosen] = this.hand.chosen;
    if (laid) await this.takeOrChange(laid);
    else if (chosen && this.isFree(at)) await this.lay(chosen, at);
    else if (isHere) this.way = this.way === "across" ? "down" : "";
    else this.way = "across";
    this.draw();
  }

  async takeOrChange(tile) {
    const letter = tile.tile === "?" ? await this.letterOf(true) : "";
    if (letter === null || !this.hand.order.includes(tile)) return;
    if (letter) tile.letter = letter.toLowerCase();
    else this.hand.takeBack(tile);
    this.laid();
  }

  tapRack(tile) {
    if (this.exchanging) return this.toggle(tile);
    if (!this.isMoving) return;
    if (this.way) return this.layNext(tile);
    const was = this.hand.chosen.has(tile);
    this.hand.chosen.clear();
    if (!was) this.hand.chosen.add(tile);
    this.draw();
  }

  toggle(tile) {
    if (!this.hand.chosen.delete(tile)) this.hand.chosen.add(tile);
    this.draw();
  }

  // a letter of the keyboard, or ? for a blank
  async type(letter) {
    if (this.exchanging) {
      const held = this.hand.tiles.filter(({ tile }) => tile === letter);
      const tile = held.find((one) => !this.hand.chosen.has(one)) ?? held[0];
      if (tile) this.toggle(tile);
      return;
    }
    const tile = this.hand.forLetter(letter);
    if (!tile)
      return this.tell(letter === "?" ? "No blank is on the rack." : `The rack has no ${letter} and no blank.`);
    this.way ||= "across";
    await this.layNext(tile, letter);
  }

  // move the cursor, or only show it
  step(down, right) {
    const at = [this.focus[0] + down, this.focus[1] + right];
    if (this.has(at)) this.focus = at;
    this.way ||= "across";
    this.draw();
  }

  // put a tile on the rack before another one, or last
  putBack(tile, before) {
    this.hand.move(tile, before);
    this.hand.takeBack(tile);
    this.laid();
  }

  takeLastBack() {
    const last = this.hand.order.at(-1);
    this.focus = last.at;
    this.way ||= "across";
    this.hand.takeBack(last);
    this.laid();
  }

  clear() {
    this.hand.clear();
    this.laid();
  }

  shuffle() {
    this.hand.shuffle();
    this.keep();
    this.draw();
  }

  exchange(on) {
    if (on && !this.table.position.exchange) return;
    this.hand.clear();
    this.reset();
    this.exchanging = on;
    this.keep();
    this.draw();
  }
}
