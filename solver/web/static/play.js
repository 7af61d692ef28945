// The row, the rack and the play in progress.

import { ask, messageOf } from "./api.js";
import { fill, h, tile } from "../view/dom.js";
import { id, refill, say } from "./page.js";
import { Game, laid, laidAsFar, lineOf, sorted, without } from "./game.js";

export class Play {
  // changed: called after every turn, undo, redo and new game; drawChanged: after another draw was chosen
  constructor({ changed, drawChanged }) {
    this.changed = changed;
    this.drawChanged = drawChanged;
    this.game = null;
    this.asked = null; // the puzzle, as requests name it
    this.left = 0;
    this.word = ""; // letters, and ? where a blank waits for one
    this.forced = new Set(); // places of the word that need a blank
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
    } else {
      this.word += letter;
    }
    this.tell("");
    this.showPlay();
  }

  // a tile of the rack was clicked
  take(letter) {
    if (letter === "?" && this.word.includes("?")) return;
    this.word += letter;
    this.tell("");
    this.showPlay();
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
    return this.word[place] !== "?" && this.tiles !== null && this.swapped(place) !== null;
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
    return after === null || after[place] === before[place] ? null : forced;
  }

  clear() {
    this.word = "";
    this.forced.clear();
    this.tell("");
    this.showPlay();
  }

  // lay a play from the rack: { left, tiles, word }
  suggest({ left, tiles, word }) {
    if (left !== this.left) this.choose(left);
    this.word = word;
    this.forced = new Set([...tiles].flatMap((letter, place) => (letter === "?" ? [place] : [])));
    this.tell("");
    this.showPlay();
    id("word").scrollIntoView({ block: "nearest" });
  }

  async lay() {
    if (this.word.includes("?")) this.tell("Choose the letter of the blank first.", true);
    if (id("lay").disabled || this.busy) return;
    const turn = { left: this.left, tiles: this.tiles, word: this.word };
    const { game } = this;
    const { turns } = game;
    this.busy = true;
    try {
      const verdict = await ask("turn", { puzzle: this.asked, turns: [...game.lines(), lineOf(turn)] });
      // meanwhile another game may have been opened, or a turn taken back
      if (game !== this.game || turns !== game.turns) return;
      if (!verdict.legal) {
        this.tell(verdict.faults.join("; "), true);
        return;
      }
      game.play(turn);
      const end = verdict.over ? `. The game is over: no word can be played any more.${this.comparison(verdict.total)}` : "";
      this.settle(`${turn.word}: ${verdict.score} points, ${verdict.total} in all${end}`);
    } catch (error) {
      this.tell(messageOf(error), true);
    } finally {
      this.busy = false;
    }
  }

  // compares a final score with the best known one
  comparison(score) {
    const { best } = this.game.puzzle;
    if (!best) return "";
    return score < best ? ` The best known game has ${best - score} more.` : score > best ? " That is a new record!" : " That is the best known score!";
  }

  step(which) {
    const before = this.game.turns.length;
    this.game[which]();
    if (this.game.turns.length !== before) this.settle(which === "undo" ? "One turn taken back." : "The turn is played again.");
  }

  startOver() {
    this.goTo(this.game.turns, 0, "Redo brings your turns back.");
  }

  // go to the position after `count` of these turns; redo plays the others again
  goTo(turns, count, message) {
    this.game.goTo(turns, count);
    this.settle(message);
  }

  show() {
    const { left, right, leave, wants } = this.game.hand();
    const { row } = this.game.puzzle;
    const fromRight = wants - this.left;
    const tiles = [...row].map((letter, at) => {
      const place = at - left;
      const behind = row.length - right - at;
      // tiles that are gone keep their places, so that nothing moves
      if (place < 0 || behind <= 0) return h("span", { class: "tile gone", "aria-hidden": "true" });
      const drawn = place < this.left ? "left" : behind <= fromRight ? "right" : "";
      const extra = { class: drawn && `drawn ${drawn}` };
      if (place < wants) {
        return tile(letter, this.game.value(letter), "button", {
          ...extra, type: "button", "data-key": at, title: `Draw ${place + 1} from the left`, onclick: () => this.choose(place + 1),
        });
      }
      if (behind <= wants) {
        return tile(letter, this.game.value(letter), "button", {
          ...extra, type: "button", "data-key": at, title: `Draw ${behind} from the right`, onclick: () => this.choose(wants - behind),
        });
      }
      return tile(letter, this.game.value(letter), "span", extra);
    });
    refill(id("row"), tiles);
    id("left").max = String(wants);
    id("left").value = String(this.left);
    id("draw").hidden = false;
    id("left").disabled = wants === 0;
    id("left-text").textContent = `${this.left} from the left`;
    id("right-text").textContent = `${fromRight} from the right`;
    id("undo").disabled = !this.game.turns.length;
    id("over").disabled = !this.game.turns.length;
    id("redo").disabled = !this.game.undone.length;
    this.kept = leave;
    this.showPlay();
  }

  showPlay() {
    const tiles = laidAsFar(this.word, this.rack, this.forced);
    let used = tiles;
    let kept = this.kept;
    const rack = [...sorted(this.rack)].map((letter, place) => {
      const gone = used.includes(letter);
      if (gone) used = without(used, letter);
      const old = kept.includes(letter);
      if (old) kept = without(kept, letter);
      return tile(letter, this.game.value(letter), "button", {
        type: "button", "data-key": place, class: `${gone ? "gone" : ""} ${old ? "kept" : ""}`, disabled: gone,
        title: old ? "kept from the turn before" : "drawn now", onclick: () => this.take(letter),
      });
    });
    refill(id("rack"), rack.length ? rack : h("p", {}, "The rack is empty."));
    const laidTiles = [...this.word].map((letter, place) => {
      const is = tiles[place];
      const points = (place + 1) * this.game.value(is);
      const name = letter === "?" ? "blank, no letter yet" : `${letter}${is === "?" ? " by a blank" : is === "!" ? ", not on the rack" : ""}, ${points} points`;
      return h(
        "div",
        { class: "laid" },
        h(
          "button",
          { type: "button", "data-key": place, class: `tile ${{ "?": "blank", "!": "missing" }[is] ?? ""}`, "aria-label": `${name}: take it back`, onclick: () => this.remove(place) },
          h("span", { class: "letter" }, letter === "?" ? "" : letter.toUpperCase()),
          h("sub", {}, this.game.value(is) ? String(this.game.value(is)) : ""),
        ),
        h("span", { class: "points", title: `place ${place + 1} times ${this.game.value(is)}` }, String(points)),
        this.canSwap(place)
          ? h("button", { type: "button", class: "swap", "data-key": `swap-${place}`, "aria-label": `${letter}: ${is === "?" ? "use the letter's own tile" : "use a blank"}`, onclick: () => this.swap(place) }, is === "?" ? letter.toUpperCase() : "␣")
          : null,
      );
    });
    const waits = this.word.includes("?");
    const missing = [...this.word].filter((_, place) => tiles[place] === "!");
    const complete = this.word !== "" && !waits && !missing.length;
    const invited = this.rack ? h("p", { class: "hint" }, "Type a word, or click the tiles of the rack.") : null;
    refill(id("word"), laidTiles.length ? laidTiles : invited);
    if (missing.length) this.tell(`Neither ${missing.join(", ").toUpperCase()} nor a blank for it is left on the rack.`, true);
    id("lay").textContent = complete ? `Play for ${this.game.points(tiles)}` : "Play";
    id("lay").disabled = !complete;
    id("clear").disabled = !this.word;
    id("letters").hidden = !waits;
    if (waits && !id("letters").children.length) {
      fill(id("letters"), h("span", {}, "Which letter is the blank?"), [..."abcdefghijklmnopqrstuvwxyz"].map((letter) =>
        h("button", { type: "button", onclick: () => this.type(letter) }, letter.toUpperCase())));
    }
  }
}

export const spoken = (tiles) => [...sorted(tiles)].map((letter) => (letter === "?" ? "blank" : letter)).join(" ");
