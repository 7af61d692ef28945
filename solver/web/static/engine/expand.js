// Expands the racks of a beam's layer: finds their plays, and puts the children that reach the cut-offs into the layers
// ahead.

import { hashOf } from "./closed.js";
import { ADMIT_NOTHING, packed } from "./layer.js";
import { SCALE } from "./prices.js";
import { FILTER_SHIFT, UNREACHABLE } from "./rated.js";
import { CHOOSE, CLOSED, CODES, OFFSET, STEP, unrank } from "./tiles.js";

const SUBSETS = 1 << CLOSED;

export class Expander {
  // index: a ClosedIndex; rated: its RatedPlays under `prices`; fisher: looks for second plays
  constructor(index, rated, prices, fisher) {
    Object.assign(this, { index, rated, prices, fisher });
    this.tiles = new Uint8Array(CLOSED); // of the rack, ascending
    this.size = 0;
    // all distinct sub-multisets of the rack, the empty one first
    this.ranks = new Int32Array(SUBSETS);
    this.lengths = new Uint8Array(SUBSETS);
    this.members = new Uint16Array(SUBSETS); // bit masks of the places that they take
    this.costs = new Int32Array(SUBSETS); // the sums of the prices of their tiles
    this.need = new Uint8Array(CLOSED + 1);
  }

  // Expand all `racks`. layers: the layers ahead, by the number of tiles played since; setups: cut-offs of first plays
  // by length, or null without second plays; watch: called before each rack
  expand(racks, layers, setups, watch) {
    const wanted = new Int32Array(CLOSED + 1);
    for (let rack = 0; rack < racks.count; rack++) {
      watch();
      for (let length = 1; length <= CLOSED; length++) {
        const cutoff = layers[length]?.cutoff ?? ADMIT_NOTHING;
        wanted[length] = setups ? Math.min(cutoff, setups[length]) : cutoff;
        const worth = wanted[length] - racks.priority[rack];
        this.need[length] = wanted[length] === ADMIT_NOTHING ? UNREACHABLE : this.rated.needed(worth, length);
      }
      this.size = unrank(racks.rank[rack], this.tiles);
      this.play(racks, rack, this.subsets(), layers, setups);
    }
  }

  // list the sub-multisets, and return their number; each takes the first of equal tiles, so that it occurs once
  subsets() {
    const { tiles, size, ranks, lengths, members, costs, prices } = this;
    let count = 1;
    let place = 0;
    while (place < size) {
      const tile = tiles[place];
      const price = prices[tile];
      const before = count;
      let from = 0;
      for (; place < size && tiles[place] === tile; place++) {
        const bit = 1 << place;
        for (let i = 0; i < before; i++, from++, count++) {
          const length = lengths[from];
          ranks[count] = ranks[from] + STEP[length * CODES + tile];
          lengths[count] = length + 1;
          members[count] = members[from] | bit;
          costs[count] = costs[from] + price;
        }
        from = count - before;
      }
    }
    return count;
  }

  play(racks, rack, count, layers, setups) {
    const { ranks, lengths, members, costs, need } = this;
    const { filter } = this.rated;
    const { base, shift, ranks: keys, scores } = this.index;
    const priority = racks.priority[rack];
    let fishes = 0;
    for (let i = 1; i < count; i++) {
      const rank = ranks[i];
      const length = lengths[i];
      const hash = hashOf(rank);
      if (filter[hash >>> FILTER_SHIFT] < need[length]) continue;
      const first = base[length];
      const last = (1 << (32 - shift[length])) - 1;
      let slot = hash >>> shift[length];
      while (keys[first + slot] !== rank && keys[first + slot] !== 0) slot = (slot + 1) & last;
      if (keys[first + slot] === 0) continue;
      const score = scores[first + slot];
      const reached = priority + SCALE * score - costs[i];
      if (setups && reached >= setups[length]) this.fisher.setups[fishes++] = i;
      if (reached < (layers[length]?.cutoff ?? ADMIT_NOTHING)) continue;
      const move = packed(racks.leftDraws[rack], length);
      layers[length].put(
        this.leave(members[i], length),
        racks.left[rack],
        reached,
        racks.score[rack] + score,
        racks.parent[rack],
        move,
      );
    }
    if (fishes) this.fisher.fish(this, racks, rack, fishes);
  }

  // the rank of the tiles that a play keeps
  leave(inside, length) {
    const { tiles, size } = this;
    let rank = OFFSET[size - length];
    let kept = 0;
    for (let place = 0; place < size; place++) {
      if (!((inside >> place) & 1)) rank += CHOOSE[++kept][tiles[place]];
    }
    return rank;
  }
}
