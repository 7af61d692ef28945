// The row: its two ends, from which tiles are drawn by a tap or by dragging, and a map of all of it.

import { fill, h, tile } from "../view/dom.js";
import { id } from "./page.js";

export class Row {
  // play: see there; its `choose` is called with the number of tiles to draw from the left
  constructor(play) {
    this.play = play;
    this.drag = null; // { isLeft: the end, first: the tile that was taken, last: the one under the pointer }
    this.moved = false; // whether the pointer has left the tile that was taken: then its click is no tap
    id("ends").addEventListener("click", (event) => this.tap(event));
    id("ends").addEventListener("pointerdown", (event) => this.take(event));
    // a quick pointer is outside of the ends at once
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.drop(event));
    document.addEventListener("pointercancel", () => (this.drag = null));
  }

  // a new position
  show() {
    const { game } = this.play;
    const { row } = game.puzzle;
    const { left, right, wants } = game.hand();
    const rest = row.length - left - right;
    const isShort = rest <= 2 * wants; // the ends meet, and all tiles stand in one strip
    const end = (from, to) => Array.from({ length: to - from }, (_, place) => this.tile(from + place));
    fill(id("end-left"), end(left, left + (isShort ? rest : wants)));
    fill(id("end-right"), isShort ? null : end(row.length - right - wants, row.length - right));
    id("end-right").hidden = isShort;
    id("end-left").setAttribute("aria-label", isShort ? "The row" : "The left end of the row");
    id("middle").textContent = isShort ? "" : `${rest - 2 * wants} more`;
    id("middle").hidden = isShort;
    id("ends").style.setProperty("--n", String(Math.max(1, isShort ? rest : wants)));
    id("ends").classList.toggle("short", isShort);
    id("ends").classList.toggle("many", wants > 6);
    this.showMap(left, right, wants);
    this.mark();
  }

  tile(at) {
    const letter = this.play.game.puzzle.row[at];
    return tile(letter, this.play.game.value(letter), "button", { type: "button", "data-at": at, "data-key": at });
  }

  showMap(left, right, wants) {
    const { row } = this.play.game.puzzle;
    const kind = (at) => {
      if (at < left || at >= row.length - right) return "gone";
      return at < left + wants || at >= row.length - right - wants ? "end" : "";
    };
    fill(id("map"), [...row].map((letter, at) => h("span", { class: kind(at), "data-at": at }, letter === "?" ? "?" : letter.toUpperCase())));
    const rest = row.slice(left, row.length - right);
    id("map").setAttribute("aria-label", `The row: ${[...rest].map((letter) => (letter === "?" ? "blank" : letter)).join(" ")}`);
  }

  // which tiles are drawn
  mark() {
    const { game, left: from } = this.play;
    const { row } = game.puzzle;
    const { left, right, wants } = game.hand();
    const side = (at) => {
      if (at >= left && at < left + from) return "left";
      return at < row.length - right && at >= row.length - right - (wants - from) ? "right" : "";
    };
    for (const item of id("ends").querySelectorAll("[data-at]")) {
      const at = Number(item.dataset.at);
      const drawn = side(at);
      item.classList.toggle("drawn", drawn !== "");
      for (const one of ["left", "right"]) item.classList.toggle(one, drawn === one);
      item.setAttribute("aria-pressed", String(drawn !== ""));
      const place = at - left + 1;
      const behind = row.length - right - at;
      item.title = behind < place || place > wants ? `${behind} from the right` : `${place} from the left`;
    }
    for (const item of id("map").children) {
      const drawn = side(Number(item.dataset.at));
      for (const one of ["left", "right"]) item.classList.toggle(one, drawn === one);
    }
  }

  // the rectangles of the tiles in the ends, by their place in the row
  places() {
    return new Map([...id("ends").querySelectorAll("[data-at]")].map((item) => [Number(item.dataset.at), item.getBoundingClientRect()]));
  }

  // A tap draws up to a tile, from the nearer end; on the last tile of a draw it puts that one back.
  tap(event) {
    const item = event.target.closest("[data-at]");
    if (!item || (this.moved && event.detail > 0)) return; // a key is no drag
    const { place, behind, wants } = this.at(item);
    const from = this.play.left;
    const fromRight = wants - from;
    if (place <= from) this.play.choose(place === from ? from - 1 : place);
    else if (behind <= fromRight) this.play.choose(behind === fromRight ? from + 1 : wants - behind);
    else this.play.choose(this.isLeft(item) ? place : wants - behind);
  }

  // the place of a tile from the left and from the right end of the row, from 1
  at(item) {
    const at = Number(item.dataset.at);
    const { left, right, wants } = this.play.game.hand();
    return { place: at - left + 1, behind: this.play.game.puzzle.row.length - right - at, wants };
  }

  isLeft(item) {
    const { place, behind, wants } = this.at(item);
    return place <= wants && (place <= behind || behind > wants);
  }

  take(event) {
    const item = event.target.closest("[data-at]");
    this.moved = false;
    this.drag = item && event.isPrimary && event.button === 0 ? { isLeft: this.isLeft(item), first: item, last: item } : null;
  }

  // dragging over the tiles of an end draws up to the one under the pointer
  move(event) {
    if (!this.drag) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const item = under?.closest("#ends [data-at]");
    this.moved ||= item !== this.drag.first;
    if (!item || item === this.drag.last) return;
    this.drag.last = item;
    this.drawTo(item, this.drag.isLeft);
  }

  // a tile dropped on the rack is drawn, with those before it
  drop(event) {
    const { drag } = this;
    this.drag = null;
    if (drag && this.moved && document.elementFromPoint(event.clientX, event.clientY)?.closest("#hands")) this.drawTo(drag.first, drag.isLeft);
  }

  drawTo(item, isLeft) {
    const { place, behind, wants } = this.at(item);
    if (isLeft && place <= wants) this.play.choose(place);
    else if (!isLeft && behind <= wants) this.play.choose(wants - behind);
  }
}
