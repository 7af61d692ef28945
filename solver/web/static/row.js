// The row: one strip of the tiles that are left, both ends in sight. A tap draws the tiles up to the one that is
// tapped.

import { fill, h, tile } from "../view/dom.js";
import { id } from "./page.js";

const IN_SIGHT = 30; // tiles of an end that are shown, unless the whole row is

export class Row {
  // play: see there; its `choose` is called with the number of tiles to draw from the left
  constructor(play) {
    this.play = play;
    this.isOpen = false; // whether the whole row is shown
    id("strip").addEventListener("click", ({ target }) => this.tap(target.closest("[data-at]")));
    id("more").addEventListener("click", () => {
      this.isOpen = !this.isOpen;
      this.show();
    });
    new ResizeObserver(() => this.play.game && this.fit()).observe(id("strip"));
  }

  // the tiles that no draw has taken, as a draw of `play.left` tiles from the left leaves them: from `start` to before
  // `end`
  get rest() {
    const { game, left: from } = this.play;
    const { left, right, drawSize } = game.hand();
    return { start: left + from, end: game.puzzle.row.length - right - (drawSize - from) };
  }

  show() {
    const { row } = this.play.game.puzzle;
    const { start, end } = this.rest;
    const middle = Math.ceil((start + end) / 2);
    const most = this.isOpen ? row.length : IN_SIGHT;
    const tiles = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, place) => this.tile(from + place));
    fill(id("end-left"), tiles(start, Math.min(middle, start + most)));
    fill(
      id("end-right"),
      start < end ? tiles(Math.max(middle, end - most), end) : h("span.quiet", "The row is empty."),
    );
    const spoken = [...row.slice(start, end)].map((letter) => (letter === "?" ? "blank" : letter));
    id("row-text").textContent = `The row: ${spoken.join(" ") || "empty"}`;
    id("strip").classList.toggle("open", this.isOpen);
    id("more").setAttribute("aria-expanded", String(this.isOpen));
    this.fit();
  }

  tile(at) {
    const { game, left: from } = this.play;
    const { start, end } = this.rest;
    const { drawSize } = game.hand();
    const isFar = at - start >= drawSize - from && end - 1 - at >= from;
    const letter = game.puzzle.row[at];
    return tile(letter, game.value(letter), "span", { "data-at": at, class: isFar ? "far" : "" });
  }

  // how many tiles are out of sight
  fit() {
    const { start, end } = this.rest;
    const [left, right] = [id("end-left"), id("end-right")];
    const inSight = [left, right].map((side) =>
      Math.floor((side.clientWidth + 3) / ((side.firstElementChild?.offsetWidth ?? 0) + 3)),
    );
    const hidden = end - start - inSight[0] - inSight[1];
    const isShort = left.scrollWidth <= left.clientWidth && right.scrollWidth <= right.clientWidth;
    id("strip").classList.toggle("short", isShort && !this.isOpen);
    id("more").textContent = this.isOpen ? "less" : `${Math.max(hidden, 0)} more`;
    right.scrollLeft = right.scrollWidth;
  }

  // the rectangles of all tiles that are in the strip or just drawn, by their place in the row
  places() {
    const tiles = document.querySelectorAll("#strip [data-at], #rack [data-at]");
    return new Map([...tiles].map((item) => [Number(item.dataset.at), item.getBoundingClientRect()]));
  }

  // draw up to a tile, from the end from which it can be reached; from the nearer one of both
  tap(item) {
    if (!item) return;
    const { left: from, game } = this.play;
    const { drawSize } = game.hand();
    const { start, end } = this.rest;
    const at = Number(item.dataset.at);
    const fromLeft = from + at - start + 1;
    const fromRight = drawSize - from + end - at;
    const isLeft = fromRight > drawSize || (fromLeft <= drawSize && at - start < end - at);
    if (isLeft && fromLeft <= drawSize) this.play.choose(fromLeft);
    else if (!isLeft && fromRight <= drawSize) this.play.choose(drawSize - fromRight);
    else this.play.tell(`You draw ${drawSize} tiles in this turn: this one is too far in.`);
  }
}
