// The row, whole: the tiles of this draw stay in their places, outlined at both ends. A tap draws up to a tile, or puts
// a drawn one back.

import { button, fill, tile } from "../view/dom.js";
import { id } from "./page.js";
import { BLANK } from "./rules.js";

const GAP = 3; // pixels between tiles, as in the style sheet
const TALL = 1.14; // the height of a tile by its width
const SMALLEST = 22; // pixels
const LARGEST = 76;
const CHIP = 5; // places that "59 more" may take

export class Row {
  // play: see there; its `choose` is called with the number of tiles to draw from the left
  constructor(play) {
    this.play = play;
    this.isOpen = false; // whether all tiles are shown although they need more room
    id("strip").addEventListener("click", ({ target }) => this.tap(target.closest("[data-at]")));
    new ResizeObserver(() => this.play.game && this.show()).observe(id("strip"));
  }

  show() {
    const { game, draw } = this.play;
    const { row } = game.puzzle;
    const at = game.at();
    const { width, height } = id("strip").getBoundingClientRect();
    // the tiles of earlier turns stay as long as there is room
    const [size, room] = fitted(row.length, width, height);
    const isWhole = room >= row.length || this.isOpen;
    const first = isWhole ? 0 : at.start;
    const last = isWhole ? row.length : at.end;
    // the middle goes, but for one place that says so
    const hidden = this.isOpen || last - first <= room ? 0 : last - first - room + CHIP;
    const gap = Math.ceil((draw.start + draw.end - hidden) / 2);
    const tiles = (from, to) => Array.from({ length: to - from }, (_, place) => this.tile(from + place, at));
    const more = hidden > 0 && button(`${hidden} more`, () => this.open(), { class: "more" });
    id("strip").style.setProperty("--size", `${size}px`);
    fill(id("strip"), more ? [tiles(first, gap), more, tiles(gap + hidden, last)] : tiles(first, last));
    const spoken = [...row.slice(draw.start, draw.end)].map((letter) => (letter === BLANK ? "blank" : letter));
    id("row-text").textContent = `The row: ${spoken.join(" ") || "empty"}`;
  }

  open() {
    this.isOpen = true;
    id("strip").classList.add("open");
    this.show();
  }

  tile(place, { start, end }) {
    const { game, draw } = this.play;
    const letter = game.puzzle.row[place];
    const isGone = place < start || place >= end;
    const kind = isGone ? "gone" : place < draw.start ? "left" : place >= draw.end ? "right" : "";
    // a screen reader has the text of the row
    const look = { "data-at": isGone ? null : place, "aria-hidden": "true", class: kind };
    return tile(letter, game.value(letter), "span", look);
  }

  // the rectangles of all tiles that are in the row or just drawn, by their place in the row
  places() {
    const tiles = document.querySelectorAll("#strip [data-at], #rack [data-at]");
    return new Map([...tiles].map((item) => [Number(item.dataset.at), item.getBoundingClientRect()]));
  }

  // draw up to a tile, from the nearer end from which it can be reached; or put a drawn one back
  tap(item) {
    if (!item) return;
    const { game, draw } = this.play;
    const { start, end } = game.at();
    const size = game.drawSize();
    const place = Number(item.dataset.at);
    const fromLeft = place < draw.start ? place - start : place - start + 1;
    const fromRight = place >= draw.end ? end - place - 1 : end - place;
    const isLeft = place < draw.start || (place < draw.end && place - start < end - place);
    if ((isLeft || fromRight > size) && fromLeft <= size) this.play.choose(fromLeft);
    else if (fromRight <= size) this.play.choose(size - fromRight);
    else this.play.tell(`You draw ${size} tiles in this turn: this one is too far in.`);
  }
}

// the largest size of tiles of which `count` fit, or the smallest one: [size, the number that fits]
function fitted(count, width, height) {
  for (let size = LARGEST; ; size--) {
    const line = Math.floor((width + GAP) / (size + GAP));
    const room = line * Math.floor((height + GAP) / (size * TALL + GAP));
    if (room >= count || size === SMALLEST) return [size, room];
  }
}
