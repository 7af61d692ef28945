// The scoring of plays as a sum over letters, and points that depend on the length alone: see solver/model/tiles.py.
// Where a blank is worth something, letters count by their margins above it.

import { BLANK, CODES, codeOf } from "./tiles.js";

const MOST = 20; // tiles of a rack

export class Scoring {
  // values: by tile; bonus: the points for a play of a rack of `size` tiles
  constructor(values, size, bonus) {
    this.values = Int32Array.from({ length: CODES }, () => 0);
    for (const [tile, value] of Object.entries(values)) this.values[codeOf(tile)] = value;
    const blank = this.values[BLANK];
    this.margins = this.values.map((value, code) => (code === BLANK ? 0 : value - blank));
    this.extra = Int32Array.from(
      { length: MOST + 1 },
      (_, length) => (blank * length * (length + 1)) / 2 + (length === size ? bonus : 0),
    );
    this.isPlain = this.margins.every((margin) => margin >= 0) && this.extra.every((points) => points === 0);
  }
}
