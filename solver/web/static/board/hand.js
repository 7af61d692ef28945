// The tiles of the player on turn: on the rack, or laid on the board until the play is made.

// the tiles of a rack as it is written: a tile of several letters is in brackets
export const tilesOf = (text) => [...text.matchAll(/\[([^\]]+)\]|./gu)].map(([sign, several]) => several ?? sign);

export const written = (tiles) => tiles.map((tile) => (tile.length > 1 ? `[${tile}]` : tile)).join("");

export class Hand {
  // tiles: the rack as it is written; laid: tiles laid before, as [row, column, letter]; letters of blanks are small
  constructor(tiles = "", laid = []) {
    this.tiles = tilesOf(tiles).map((tile) => ({ tile, at: null, letter: "" }));
    this.chosen = new Set(); // tiles to exchange, or the one to lay next
    this.order = []; // the laid tiles, the last one last
    for (const [row, column, letter] of laid) {
      const tile = this.find(letter === letter.toUpperCase() ? letter : "?");
      if (tile) this.lay(tile, row, column, letter);
    }
  }

  find(kind) {
    return this.tiles.find(({ tile, at }) => tile === kind && at === null);
  }

  // the tile for a letter that was typed: the letter itself, or else a blank
  forLetter(letter) {
    return this.find(letter) ?? this.find("?");
  }

  at(row, column) {
    return this.order.find(({ at }) => at[0] === row && at[1] === column);
  }

  // letter: of a blank
  lay(tile, row, column, letter = tile.tile) {
    this.takeBack(tile);
    tile.at = [row, column];
    tile.letter = tile.tile === "?" ? letter.toLowerCase() : tile.tile;
    this.order.push(tile);
    this.chosen.clear();
  }

  takeBack(tile) {
    tile.at = null;
    this.order = this.order.filter((other) => other !== tile);
  }

  clear() {
    for (const tile of this.order) tile.at = null;
    this.order = [];
    this.chosen.clear();
  }

  shuffle() {
    for (let last = this.tiles.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [this.tiles[last], this.tiles[other]] = [this.tiles[other], this.tiles[last]];
    }
  }

  // put a tile of the rack before another one, or last
  move(tile, before) {
    this.tiles = this.tiles.filter((other) => other !== tile);
    const place = before ? this.tiles.indexOf(before) : this.tiles.length;
    this.tiles.splice(place, 0, tile);
  }

  laid() {
    return this.order.map(({ at, letter }) => [...at, letter]);
  }

  get text() {
    return written(this.tiles.map(({ tile }) => tile));
  }
}
