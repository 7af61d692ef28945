// The row, the rack and the play under way.

import { ask, Refused } from "./api.js";
import { fill, h, tile } from "../view/dom.js";
import { id, say } from "./page.js";
import { Game, laid, sorted, without } from "./game.js";

export class Play {
  // changed: called after every turn, undo, redo and new game; drawChanged: after another draw was chosen
  constructor({ changed, drawChanged }) {
    this.changed = changed;
    this.drawChanged = drawChanged;
    this.game = null;
    this.asked = null; // how the server finds the puzzle
    this.left = 0;
    this.word = ""; // letters, and ? where a blank waits for one
    this.forced = new Set(); // places of the word where a blank is wanted
    this.busy = false;
    id("left").addEventListener("input", () => this.choose(Number(id("left").value)));
    id("lay").addEventListener("click", () => this.lay());
    id("clear").addEventListener("click", () => this.clear());
    id("undo").addEventListener("click", () => this.step("undo"));
    id("redo").addEventListener("click", () => this.step("redo"));
    id("over").addEventListener("click", () => this.startOver());
  }

  open(asked, puzzle, turns) {
    this.asked = asked;
    this.game = new Game(puzzle, turns);
    this.settle();
  }

  // a position was reached: the draw begins in the middle
  settle(message = "") {
    const { wants } = this.game.hand();
    this.left = Math.floor(wants / 2);
    this.word = "";
    this.forced.clear();
    this.tell(message);
    this.show();
    this.changed();
  }

  tell(message, bad = false) {
    id("message").textContent = message;
    id("message").classList.toggle("bad", bad);
  }

  choose(left) {
    const { wants } = this.game.hand();
    const chosen = Math.max(0, Math.min(wants, left));
    if (chosen === this.left) return;
    this.left = chosen;
    this.word = "";
    this.forced.clear();
    this.tell("");
    this.show();
    say(`${this.left} from the left: rack ${spoken(this.rack)}`);
    this.drawChanged();
  }

  get rack() {
    return this.game.drawn(this.left).rack;
  }

  get tiles() {
    return laid(this.word, this.rack, this.forced);
  }

  type(letter) {
    const waiting = this.word.indexOf("?");
    if (waiting >= 0) {
      this.word = this.word.slice(0, waiting) + letter + this.word.slice(waiting + 1);
      this.forced.add(waiting);
    } else if (laid(this.word + letter, this.rack, this.forced) === null) {
      this.tell(`Neither ${letter.toUpperCase()} nor a blank is left on the rack.`, true);
      return;
    } else {
      this.word += letter;
    }
    this.tell("");
    this.showPlay();
  }

  // a tile of the rack was clicked
  take(letter) {
    if (letter !== "?") {
      this.type(letter);
    } else if (!this.word.includes("?")) {
      this.word += "?";
      this.showPlay();
    }
  }

  back() {
    this.remove(this.word.length - 1);
  }

  remove(place) {
    if (place < 0) return;
    this.word = this.word.slice(0, place) + this.word.slice(place + 1);
    this.forced = new Set([...this.forced].filter((at) => at !== place).map((at) => (at > place ? at - 1 : at)));
    this.tell("");
    this.showPlay();
  }

  canSwap(place) {
    return this.word[place] !== "?" && this.swapped(place) !== null;
  }

  // a blank in place of a tile, or the other way round
  swap(place) {
    this.forced = this.swapped(place) ?? this.forced;
    this.showPlay();
  }

  // the places of blanks after a swap; null where the rack does not allow it
  swapped(place) {
    const forced = new Set(this.forced);
    const before = this.tiles;
    if (this.tiles[place] === "?") {
      forced.delete(place);
      // the letter's own tile goes here: another place with the same letter takes the blank
      const same = [...this.word].findIndex((letter, at) => at !== place && letter === this.word[place] && this.tiles[at] !== "?");
      if (laid(this.word, this.rack, forced)?.[place] === "?" && same >= 0) forced.add(same);
    } else {
      forced.add(place);
      if (laid(this.word, this.rack, forced) === null) {
        const other = [...this.word].findIndex((letter, at) => letter === this.word[place] && forced.has(at) && at !== place);
        if (other >= 0) forced.delete(other);
      }
    }
    const after = laid(this.word, this.rack, forced);
    return after === null || after[place] === before?.[place] ? null : forced;
  }

  clear() {
    this.word = "";
    this.forced.clear();
    this.tell("");
    this.showPlay();
  }

  // show somebody's play on the rack: { left, tiles, word }
  suggest({ left, tiles, word }) {
    if (left !== this.left) this.choose(left);
    this.word = word;
    this.forced = new Set([...tiles].flatMap((letter, place) => (letter === "?" ? [place] : [])));
    this.tell("");
    this.showPlay();
  }

  async lay() {
    if (!this.word || this.busy) return;
    if (this.word.includes("?")) {
      this.tell("Choose the letter of the blank first.", true);
      return;
    }
    const turn = { left: this.left, tiles: this.tiles, word: this.word };
    const line = `${turn.left} ${turn.tiles} ${turn.word}`;
    this.busy = true;
    try {
      const told = await ask("turn", { puzzle: this.asked, turns: [...this.game.lines(), line] });
      if (!told.legal) {
        this.tell(told.faults.join("; "), true);
        return;
      }
      this.game.play(turn);
      const said = `${turn.word}: ${told.score} points, ${told.total} in all`;
      this.settle(said);
      say(said);
    } catch (error) {
      this.tell(error instanceof Refused ? error.message : "The server does not answer; nothing is lost.", true);
    } finally {
      this.busy = false;
    }
  }

  step(which) {
    const before = this.game.turns.length;
    this.game[which]();
    if (this.game.turns.length !== before) this.settle(which === "undo" ? "One turn taken back." : "The turn is played again.");
  }

  startOver() {
    while (this.game.turns.length) this.game.undo();
    this.settle();
  }

  show() {
    const { left, right, leave, wants } = this.game.hand();
    const { row } = this.game.puzzle;
    const ahead = row.slice(left, row.length - right);
    const fromRight = wants - this.left;
    const tiles = [...ahead].map((letter, place) => {
      const behind = ahead.length - place;
      const drawn = place < this.left ? "left" : behind <= fromRight ? "right" : "";
      const extra = { class: drawn && `drawn ${drawn}` };
      if (place < wants) {
        return tile(letter, this.game.value(letter), "button", {
          ...extra, type: "button", title: `Draw ${place + 1} from the left`, onclick: () => this.choose(place + 1),
        });
      }
      if (behind <= wants) {
        return tile(letter, this.game.value(letter), "button", {
          ...extra, type: "button", title: `Draw ${behind} from the right`, onclick: () => this.choose(wants - behind),
        });
      }
      return tile(letter, this.game.value(letter), "span", extra);
    });
    fill(id("row"), ahead.length ? tiles : h("p", {}, "The row is empty."));
    id("left").max = String(wants);
    id("left").value = String(this.left);
    id("draw").hidden = wants === 0;
    id("left-text").textContent = `${this.left} from the left`;
    id("right-text").textContent = `${fromRight} from the right`;
    id("undo").disabled = !this.game.turns.length;
    id("over").disabled = !this.game.turns.length;
    id("redo").disabled = !this.game.undone.length;
    this.kept = leave;
    this.showPlay();
  }

  showPlay() {
    const tiles = this.word ? this.tiles ?? this.word : "";
    let used = tiles;
    let kept = this.kept;
    const rack = [...sorted(this.rack)].map((letter) => {
      const gone = used.includes(letter);
      if (gone) used = without(used, letter);
      const old = kept.includes(letter);
      if (old) kept = without(kept, letter);
      return tile(letter, this.game.value(letter), "button", {
        type: "button", class: `${gone ? "gone" : ""} ${old ? "kept" : ""}`, disabled: gone,
        title: old ? "kept from the turn before" : "drawn now", onclick: () => this.take(letter),
      });
    });
    fill(id("rack"), rack.length ? rack : h("p", {}, "The rack is empty: the game is over."));
    const laidTiles = [...this.word].map((letter, place) => {
      const is = tiles[place];
      const points = (place + 1) * this.game.value(is);
      const name = letter === "?" ? "blank, no letter yet" : `${letter}${is === "?" ? " by a blank" : ""}, ${points} points`;
      return h(
        "div",
        { class: "laid" },
        h(
          "button",
          { type: "button", class: `tile ${is === "?" ? "blank" : ""}`, "aria-label": `${name}: take it back`, onclick: () => this.remove(place) },
          h("span", { class: "letter" }, letter === "?" ? "" : letter.toUpperCase()),
          h("sub", {}, is === "?" ? "" : String(this.game.value(is))),
        ),
        h("span", { class: "points", title: `place ${place + 1} times ${this.game.value(is)}` }, String(points)),
        this.canSwap(place)
          ? h("button", { type: "button", class: "swap", "aria-label": `${letter}: ${is === "?" ? "use the letter's own tile" : "use a blank"}`, onclick: () => this.swap(place) }, is === "?" ? letter.toUpperCase() : "␣")
          : null,
      );
    });
    const points = this.game.points(tiles);
    fill(id("word"), laidTiles.length ? laidTiles : h("p", { class: "hint" }, "Type a word, or click the tiles of the rack."));
    id("lay").textContent = this.word && !this.word.includes("?") ? `Play for ${points}` : "Play";
    id("lay").disabled = !this.word;
    id("clear").disabled = !this.word;
    const waits = this.word.includes("?");
    id("letters").hidden = !waits;
    if (waits && !id("letters").children.length) {
      fill(id("letters"), [..."abcdefghijklmnopqrstuvwxyz"].map((letter) =>
        h("button", { type: "button", onclick: () => this.type(letter) }, letter.toUpperCase())));
    }
  }
}

export const spoken = (tiles) => [...sorted(tiles)].map((letter) => (letter === "?" ? "blank" : letter)).join(" ");
