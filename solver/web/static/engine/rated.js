// The plays of the closed index rated under the prices of a beam, as filters that reject nearly every multiset that is
// not a play of the worth needed. The worth of a play is its score less the prices of its tiles; its entry is the worth
// in at most 253 steps.

import { hashOf } from "./closed.js";
import { SCALE } from "./prices.js";
import { CLOSED, CODES, unrank } from "./tiles.js";

const STEPS = 253;
export const UNREACHABLE = 255; // an entry above that of every play
const FILTER_BITS = 20;
const SIEVE_BITS = 18;
export const FILTER_SHIFT = 32 - FILTER_BITS;
export const SIEVE_SHIFT = 32 - SIEVE_BITS;

// A multiset's second hash is the sum of these numbers over its tiles, so that it follows draws and plays tile by tile.
export const TILE_HASH = Int32Array.from({ length: CODES }, (_, code) => mixed(code + 1));

function mixed(number) {
  let bits = Math.imul(number, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

export class RatedPlays {
  constructor(index, prices) {
    const slots = index.ranks.length;
    const worth = new Int32Array(slots);
    const sums = new Int32Array(slots); // second hashes
    const tiles = new Uint8Array(CLOSED);
    this.least = new Int32Array(CLOSED + 1); // the least worth of a play, by length
    this.step = new Int32Array(CLOSED + 1).fill(1); // the width of an entry, by length
    this.filter = new Uint8Array(1 << FILTER_BITS); // the largest entry of the plays whose hash begins with the index
    // by length, and by the second hash
    this.sieves = Array.from({ length: CLOSED + 1 }, () => new Uint8Array(1 << SIEVE_BITS));
    for (let length = 1; length <= CLOSED; length++) {
      const end = length < CLOSED ? index.base[length + 1] : slots;
      let least = Infinity;
      let most = -Infinity;
      for (let slot = index.base[length]; slot < end; slot++) {
        if (index.ranks[slot] === 0) continue;
        unrank(index.ranks[slot], tiles);
        let points = SCALE * index.scores[slot];
        let sum = 0;
        for (let place = 0; place < length; place++) {
          points -= prices[tiles[place]];
          sum += TILE_HASH[tiles[place]];
        }
        worth[slot] = points;
        sums[slot] = sum;
        if (points < least) least = points;
        if (points > most) most = points;
      }
      if (most < least) continue;
      this.least[length] = least;
      this.step[length] = Math.max(1, Math.ceil((most - least + 1) / STEPS));
      this.enter(index, length, end, worth, sums);
    }
  }

  enter(index, length, end, worth, sums) {
    const { filter } = this;
    const sieve = this.sieves[length];
    for (let slot = index.base[length]; slot < end; slot++) {
      const rank = index.ranks[slot];
      if (rank === 0) continue;
      const entry = this.needed(worth[slot], length);
      const at = hashOf(rank) >>> FILTER_SHIFT;
      if (filter[at] < entry) filter[at] = entry;
      const sifted = sums[slot] >>> SIEVE_SHIFT;
      if (sieve[sifted] < entry) sieve[sifted] = entry;
    }
  }

  // the least entry that a play of that worth or more can have
  needed(worth, length) {
    return Math.min(Math.max(1 + Math.floor((worth - this.least[length]) / this.step[length]), 1), UNREACHABLE);
  }
}
