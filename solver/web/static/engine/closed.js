// The index closed under blanks: every multiset of tiles, blanks included, that spells a word, with its best score. It
// is a hash table with open addressing from ranks to scores, with a part for each length.

import { BLANK, CHOOSE, CLOSED, CODES, OFFSET } from "./tiles.js";

const MIX = 0x9e3779b1; // 2 ** 32 over the golden ratio, odd: Fibonacci hashing
const FEWEST = 64; // slots of a part

export const hashOf = (rank) => Math.imul(rank, MIX);

export class ClosedIndex {
  // longest: the most letters of a word, at most CLOSED
  constructor(lexicon, scoring, longest) {
    const parts = Array.from({ length: CLOSED + 1 }, (_, length) =>
      closed(lexicon, scoring, length <= longest ? length : 0),
    );
    this.base = new Int32Array(CLOSED + 1); // the first slot of the part for each length
    // the bits by which a hash is shifted right to give a slot there
    this.shift = Uint8Array.from(parts, (part) => part.shift);
    for (let length = 0; length < CLOSED; length++)
      this.base[length + 1] = this.base[length] + parts[length].ranks.length;
    const slots = this.base[CLOSED] + parts[CLOSED].ranks.length;
    this.ranks = new Int32Array(slots); // 0 for an empty slot: the empty multiset is no play
    this.scores = new Int32Array(slots);
    parts.forEach((part, length) => {
      this.ranks.set(part.ranks, this.base[length]);
      this.scores.set(part.scores, this.base[length]);
    });
  }

  // the best score of exactly these tiles; -1 if they spell no word
  score(rank, length) {
    const last = (1 << (32 - this.shift[length])) - 1;
    const base = this.base[length];
    let slot = hashOf(rank) >>> this.shift[length];
    while (this.ranks[base + slot] !== rank) {
      if (this.ranks[base + slot] === 0) return -1;
      slot = (slot + 1) & last;
    }
    return this.scores[base + slot];
  }
}

class Part {
  constructor(slots) {
    this.shift = 32 - Math.log2(slots);
    this.ranks = new Int32Array(slots);
    this.scores = new Int32Array(slots);
    this.used = 0;
  }

  // enter scores, and return the part, or a larger one that holds them
  enter(ranks, scores, count, offset) {
    if (2 * (this.used + count) > this.ranks.length) return this.grown().enter(ranks, scores, count, offset);
    const { ranks: keys, scores: best, shift } = this;
    const last = keys.length - 1;
    for (let i = 0; i < count; i++) {
      const rank = ranks[i] + offset;
      let slot = Math.imul(rank, MIX) >>> shift;
      while (keys[slot] !== rank && keys[slot] !== 0) slot = (slot + 1) & last;
      if (keys[slot] === 0) {
        keys[slot] = rank;
        best[slot] = scores[i];
        this.used++;
      } else if (scores[i] > best[slot]) best[slot] = scores[i];
    }
    return this;
  }

  grown() {
    const larger = new Part(2 * this.ranks.length);
    const filled = this.ranks.reduce((count, rank) => count + (rank !== 0), 0);
    const ranks = new Int32Array(filled);
    const scores = new Int32Array(filled);
    let at = 0;
    this.ranks.forEach((rank, slot) => {
      if (rank === 0) return;
      ranks[at] = rank;
      scores[at++] = this.scores[slot];
    });
    return larger.enter(ranks, scores, filled, 0);
  }
}

// the part for words of that length
function closed(lexicon, scoring, length) {
  let part = new Part(FEWEST);
  if (length === 0) return part;
  const { starts, codes, count } = lexicon;
  const margins = scoring.margins;
  const ranks = new Int32Array(1 << CLOSED);
  const places = new Uint8Array(1 << CLOSED); // the places below those of the letters that were chosen
  const scores = new Int32Array(1 << CLOSED);
  const copies = new Uint8Array(CODES);
  // the points of the first copies of a letter, by their number and code
  const first = new Int32Array((CLOSED + 1) * CODES);
  for (let id = 0; id < count; id++) {
    if (starts[id + 1] - starts[id] !== length) continue;
    copies.fill(0);
    for (let at = 0; at < length; at++) {
      const code = codes[starts[id] + at];
      const before = copies[code]++;
      first[(before + 1) * CODES + code] = first[before * CODES + code] + (at + 1) * margins[code];
    }
    let made = 1;
    ranks[0] = 0;
    places[0] = length;
    scores[0] = scoring.extra[length];
    // the tile of the highest code has the last place in the sum that makes a rank; places without a letter hold
    // blanks, which add 0
    for (let code = CODES - 1; code > BLANK; code--) {
      const most = copies[code];
      const before = made;
      for (let real = 1; real <= most; real++) {
        // blanks cost least at the earliest copies, or at the latest if the margin is negative
        const points =
          margins[code] >= 0
            ? first[most * CODES + code] - first[(most - real) * CODES + code]
            : first[real * CODES + code];
        for (let i = 0, from = real === 1 ? 0 : made - before; i < before; i++, from++, made++) {
          ranks[made] = ranks[from] + CHOOSE[places[from]][code];
          places[made] = places[from] - 1;
          scores[made] = scores[i] + points;
        }
      }
    }
    part = part.enter(ranks, scores, made, OFFSET[length]);
  }
  return part;
}
