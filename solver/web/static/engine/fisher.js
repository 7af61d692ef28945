// Fishing: a weak first play that prepares a strong second one, of all tiles of the next rack or of all but one. See
// solver/search/kernels/fishing.py.

import { ADMIT_NOTHING, packed } from "./layer.js";
import { SCALE } from "./prices.js";
import { SIEVE_SHIFT, TILE_HASH, UNREACHABLE } from "./rated.js";
import { CLOSED, CODES, rankOf } from "./tiles.js";

const HANDS = 1 << 14; // entries of the table of hands from which second plays were looked for

export class Fisher {
  // row: codes; index: a ClosedIndex; rated: its RatedPlays under `prices`
  constructor(row, index, rated, prices) {
    Object.assign(this, { row, index, rated, prices });
    this.setups = new Int32Array(1 << CLOSED); // the sub-multisets of the rack that are first plays
    this.rowHashes = Int32Array.from(row, (code) => TILE_HASH[code]);
    this.seen = Array.from({ length: 5 }, () => new Int32Array(HANDS)); // rank + 1, left, score, left draws, parent
    this.hand = new Uint8Array(CLOSED); // the tiles kept after a first play
    this.counts = new Uint8Array(CODES);
  }

  // Another layer begins. layers: those ahead by tiles played since; landings: the least priorities after two plays,
  // likewise; drawn: the number of tiles drawn before its plays
  begin(layers, landings, drawn) {
    Object.assign(this, { layers, landings, drawn });
    this.seen[0].fill(0);
  }

  fish(expander, racks, rack, count) {
    const { row, drawn } = this;
    const left = racks.left[rack];
    for (let number = 0; number < count; number++) {
      const i = this.setups[number];
      const length = expander.lengths[i];
      const points = this.index.score(expander.ranks[i], length);
      const score = racks.score[rack] + points;
      const leave = expander.leave(expander.members[i], length);
      if (this.isKnown(leave, left, score, racks.leftDraws[rack], racks.parent[rack])) continue;
      const draws = Math.min(length, row.length - drawn);
      const full = expander.size - length + draws;
      if (full < 2) continue;
      const priority = racks.priority[rack] + SCALE * points - expander.costs[i];
      const whole = this.needed(length + full, priority, full);
      const lacking = this.needed(length + full - 1, priority, full - 1);
      if (whole === UNREACHABLE && lacking === UNREACHABLE) continue;
      const kept = this.keep(expander, expander.members[i]);
      this.draw({
        left,
        draws,
        full,
        kept,
        length,
        score,
        priority,
        whole,
        lacking,
        parent: racks.parent[rack],
        leftDraws: racks.leftDraws[rack],
      });
    }
  }

  // the least priority that a state needs after two plays of `played` tiles in all
  landing(played) {
    return Math.max(this.landings[played], this.layers[played]?.cutoff ?? ADMIT_NOTHING);
  }

  // the least entry that a second play of `length` tiles needs
  needed(played, priority, length) {
    const landing = this.landing(played);
    return landing === ADMIT_NOTHING ? UNREACHABLE : this.rated.needed(landing - priority, length);
  }

  // whether the same hand was reached before with at least the same score; of equal scores the first parent is kept
  isKnown(rank, left, score, leftDraws, parent) {
    const [ranks, lefts, scores, draws, parents] = this.seen;
    const at = Math.imul(rank ^ Math.imul(left, 0x85ebca6b), 0x9e3779b1) >>> 18;
    if (ranks[at] === rank + 1 && lefts[at] === left) {
      const earlier = draws[at] < leftDraws || (draws[at] === leftDraws && parents[at] <= parent);
      if (scores[at] > score || (scores[at] === score && earlier)) return true;
    }
    ranks[at] = rank + 1;
    lefts[at] = left;
    scores[at] = score;
    draws[at] = leftDraws;
    parents[at] = parent;
    return false;
  }

  // write the tiles outside a play to `hand`, and return their number
  keep(expander, inside) {
    let kept = 0;
    for (let place = 0; place < expander.size; place++) {
      if (!((inside >> place) & 1)) this.hand[kept++] = expander.tiles[place];
    }
    return kept;
  }

  // try every draw after a first play
  draw(first) {
    const { row, rowHashes, hand } = this;
    const { left, draws, full, kept } = first;
    const end = row.length - (this.drawn - left);
    const emptied = this.drawn + draws === row.length;
    const sieve = this.rated.sieves[full];
    const sieveLacking = this.rated.sieves[full - 1];
    let total = 0;
    for (let place = 0; place < kept; place++) total += TILE_HASH[hand[place]];
    for (let place = 0; place < draws; place++) total += rowHashes[end - 1 - place];
    for (let fromLeft = 0; ; fromLeft++) {
      if (sieve[total >>> SIEVE_SHIFT] >= first.whole) this.land(first, fromLeft, -1, emptied);
      if (first.lacking !== UNREACHABLE) {
        for (let place = 0; place < kept; place++) {
          if (sieveLacking[(total - TILE_HASH[hand[place]]) >>> SIEVE_SHIFT] >= first.lacking)
            this.land(first, fromLeft, hand[place], emptied);
        }
        for (let place = 0; place < draws; place++) {
          const at = place < fromLeft ? left + place : end - draws + place;
          if (sieveLacking[(total - rowHashes[at]) >>> SIEVE_SHIFT] >= first.lacking)
            this.land(first, fromLeft, row[at], emptied);
        }
      }
      if (emptied || fromLeft === draws) return;
      total = (total + rowHashes[left + fromLeft] - rowHashes[end - draws + fromLeft]) | 0;
    }
  }

  // put the state after both plays into its layer if it reaches the cut-off and the second play, all tiles but
  // `without`, is one
  land(first, fromLeft, without, emptied) {
    const { row, counts, prices } = this;
    const { left, draws, full, kept } = first;
    const end = row.length - (this.drawn - left);
    counts.fill(0);
    for (let place = 0; place < kept; place++) counts[this.hand[place]]++;
    for (let place = 0; place < draws; place++)
      counts[row[emptied || place < fromLeft ? left + place : end - draws + place]]++;
    if (without >= 0) counts[without]--;
    const played = full - (without >= 0 ? 1 : 0);
    const points = this.index.score(rankOf(counts), played);
    if (points < 0) return;
    let priority = first.priority + SCALE * points;
    for (let code = 0; code < CODES; code++) priority -= counts[code] * prices[code];
    if (priority < this.landing(first.length + played)) return;
    counts.fill(0);
    if (without >= 0) counts[without] = 1;
    const move = packed(first.leftDraws, first.length, fromLeft, played);
    const layer = this.layers[first.length + played];
    layer.put(rankOf(counts), emptied ? 0 : left + fromLeft, priority, first.score + points, first.parent, move);
  }
}
