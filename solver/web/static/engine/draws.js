// The draws of a layer: from its states to the distinct racks that they can draw.

import { CODES, rankOf, unrank } from "./tiles.js";

// Of racks with equal tiles and left draws the one with the best score stays; of equal scores the first. Left draws
// become 0 when the row is empty, since they no longer matter. row: codes; size: of a full rack
export function drawnRacks(states, row, played, size) {
  const most = states.rank.length * (size + 1);
  const [rank, left, priority, score, parent, leftDraws] = Array.from({ length: 6 }, () => new Int32Array(most));
  const table = new Int32Array(1 << Math.ceil(Math.log2(2 * most)));
  const last = table.length - 1;
  const tiles = new Uint8Array(size);
  const counts = new Uint8Array(CODES);
  let count = 0;
  for (let state = 0; state < states.rank.length; state++) {
    const held = unrank(states.rank[state], tiles);
    counts.fill(0);
    for (let place = 0; place < held; place++) counts[tiles[place]]++;
    const start = states.left[state];
    const end = row.length - (played + held - start); // meaningless and unused when the row is empty
    const draws = Math.min(size - held, row.length - played - held);
    const emptied = played + held + draws === row.length;
    for (let i = 0; i < draws; i++) counts[row[emptied ? start + i : end - 1 - i]]++;
    for (let fromLeft = 0; fromLeft <= (emptied ? 0 : draws); fromLeft++) {
      if (fromLeft > 0) {
        counts[row[end - 1 - (draws - fromLeft)]]--;
        counts[row[start + fromLeft - 1]]++;
      }
      const key = rankOf(counts);
      const newLeft = emptied ? 0 : start + fromLeft;
      let slot = Math.imul(key ^ Math.imul(newLeft, 0x85ebca6b), 0x9e3779b1);
      slot = (slot ^ (slot >>> 15)) & last;
      while (table[slot] && (rank[table[slot] - 1] !== key || left[table[slot] - 1] !== newLeft))
        slot = (slot + 1) & last;
      if (table[slot] && states.score[state] <= score[table[slot] - 1]) continue;
      if (!table[slot]) table[slot] = ++count;
      const at = table[slot] - 1;
      rank[at] = key;
      left[at] = newLeft;
      priority[at] = states.priority[state];
      score[at] = states.score[state];
      parent[at] = state;
      leftDraws[at] = fromLeft;
    }
  }
  return { count, rank, left, priority, score, parent, leftDraws };
}
