// The layer of a beam: the best states with the same number of tiles played, one for each key. A state's key is the
// rank of its leave and the number of tiles drawn from the left. See solver/search/layers.py: ties fall as they do there.

export const NO_CUTOFF = -(2 ** 30);
export const ADMIT_NOTHING = 2 ** 30;
const SHARE = 8; // the slope is measured between the cut-off of the beam and that of its best eighth
const SLACK = 1.5;
const MARGIN = 32; // sixteenths of a point

// States as arrays: `move` is the step from the parent, see `packed`.
const FIELDS = ["rank", "left", "priority", "score", "parent", "move"];

export const newStates = (room) => Object.fromEntries(FIELDS.map((name) => [name, new Int32Array(room)]));

// left draws | tiles played << 4 | left draws before a second play << 8 | its tiles << 12
export const packed = (left, length, secondLeft = 0, secondLength = 0) =>
  left | (length << 4) | (secondLeft << 8) | (secondLength << 12);
export const unpacked = (move) => ({
  left: move & 15,
  length: (move >> 4) & 15,
  secondLeft: (move >> 8) & 15,
  secondLength: move >> 12,
});

export class Layer {
  constructor(width, floor = NO_CUTOFF) {
    this.width = width;
    this.cutoff = floor; // a child below it is dropped at once
    this.count = 0;
    this.best = 0; // the best score of any state
    this.states = newStates(64);
    this.table = new Int32Array(128); // index + 1
    this.atCutoff = 0; // the number of states when the cut-off was raised last
  }

  put(rank, left, priority, score, parent, move) {
    if (priority < this.cutoff) return;
    if (this.count === this.states.rank.length) this.grow();
    const { states, table } = this;
    const last = table.length - 1;
    let slot = slotOf(rank, left) & last;
    let at = table[slot] - 1;
    while (at >= 0 && (states.rank[at] !== rank || states.left[at] !== left)) {
      slot = (slot + 1) & last;
      at = table[slot] - 1;
    }
    if (at < 0) {
      at = this.count++;
      table[slot] = this.count;
    } else {
      if (score < states.score[at]) return;
      // of equal scores the smallest move, then the first parent
      const later = move > states.move[at] || (move === states.move[at] && parent >= states.parent[at]);
      if (score === states.score[at] && later) return;
    }
    states.rank[at] = rank;
    states.left[at] = left;
    states.priority[at] = priority;
    states.score[at] = score;
    states.parent[at] = parent;
    states.move[at] = move;
    if (score > this.best) this.best = score;
    if (this.count > this.width && this.count - this.atCutoff > this.width >> 3) this.raise();
  }

  // raise the cut-off to the priority of the width-th best state
  raise() {
    const sorted = this.states.priority.slice(0, this.count).sort();
    this.cutoff = Math.max(this.cutoff, sorted[this.count - this.width]);
    if (this.count > 2 * this.width) this.compact();
    this.atCutoff = this.count;
  }

  // raise the cut-off as far as the states so far allow, and return it
  settle() {
    if (this.count > this.width) this.raise();
    return this.cutoff;
  }

  compact() {
    const { priority } = this.states;
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      if (priority[at] < this.cutoff) continue;
      for (const name of FIELDS) this.states[name][kept] = this.states[name][at];
      kept++;
    }
    this.count = kept;
    this.rehash();
  }

  rehash() {
    this.table.fill(0);
    const last = this.table.length - 1;
    for (let at = 0; at < this.count; at++) {
      let slot = slotOf(this.states.rank[at], this.states.left[at]) & last;
      while (this.table[slot]) slot = (slot + 1) & last;
      this.table[slot] = at + 1;
    }
  }

  grow() {
    const larger = newStates(2 * this.count);
    for (const name of FIELDS) larger[name].set(this.states[name]);
    this.states = larger;
    this.table = new Int32Array(2 * this.table.length);
    this.rehash();
  }

  // the best `width` states, best first; equal priorities are ordered by a hash of the key
  close() {
    const { rank, left, priority } = this.states;
    const ties = new Map();
    const tie = (at) => {
      if (!ties.has(at)) ties.set(at, tieOf(rank[at], left[at]));
      return ties.get(at);
    };
    const order = Array.from({ length: this.count }, (_, at) => at);
    order.sort((one, other) => priority[other] - priority[one] || (tie(one) < tie(other) ? -1 : 1));
    const chosen = order.slice(0, this.width);
    return Object.fromEntries(FIELDS.map((name) => [name, Int32Array.from(chosen, (at) => this.states[name][at])]));
  }
}

function slotOf(rank, left) {
  const bits = Math.imul(rank ^ Math.imul(left, 0x85ebca6b), 0x9e3779b1);
  return bits ^ (bits >>> 15);
}

const MIX = 0x9e3779b97f4a7c15n;
const tieOf = (rank, left) => BigInt.asUintN(64, ((BigInt(rank) << 14n) | BigInt(left)) * MIX);

// Cut-offs learnt by a narrower beam.
export class LearntCutoffs {
  #learnt = new Map(); // by tiles played: [width, cut-off, slope]

  get any() {
    return this.#learnt.size > 0;
  }

  learn(played, priority, width) {
    if (priority.length !== width || width < SHARE) return;
    const cut = priority[width - 1];
    this.#learnt.set(played, [width, cut, (priority[Math.floor(width / SHARE) - 1] - cut) / Math.log(SHARE)]);
  }

  cutoff(played) {
    return this.#learnt.get(played)?.[1] ?? NO_CUTOFF;
  }

  // the least priority worth keeping in a layer of a beam of `width`
  floor(played, width) {
    const learnt = this.#learnt.get(played);
    if (!learnt) return NO_CUTOFF;
    const [narrower, cut, slope] = learnt;
    return cut - Math.ceil(SLACK * slope * Math.log(Math.max(1, width / narrower))) - MARGIN;
  }
}
