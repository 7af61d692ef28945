// A hand: the state of a game between turns. left, right: the tiles drawn from each end; leave: counts by code.

import { CODES, countsOf, encode } from "./tiles.js";

export const newHand = () => ({ left: 0, right: 0, leave: new Uint8Array(CODES) });
export const sizeOf = (counts) => counts.reduce((total, copies) => total + copies, 0);
export const playedAt = (hand) => hand.left + hand.right - sizeOf(hand.leave);

// the number of tiles that the next turn draws
export const drawsOf = ({ row, rack }, hand) =>
  Math.min(rack - sizeOf(hand.leave), row.length - hand.left - hand.right);

// the hand after a draw of `left` tiles from the left end and the others from the right end
export function drawn(problem, hand, left) {
  const { row } = problem;
  const right = drawsOf(problem, hand) - left;
  const leave = hand.leave.slice();
  for (let place = 0; place < left; place++) leave[row[hand.left + place]]++;
  for (let place = 0; place < right; place++) leave[row[row.length - hand.right - 1 - place]]++;
  return { left: hand.left + left, right: hand.right + right, leave };
}

export const minus = (counts, others) => counts.map((copies, code) => copies - others[code]);

// the number of draws that lead to different hands: one if the draw empties the row
export function choices(problem, hand) {
  const draws = drawsOf(problem, hand);
  return draws === problem.row.length - hand.left - hand.right ? 1 : draws + 1;
}

// the best turn that draws `left` tiles from the left end and plays exactly `tiles`, counts by code; null if they spell
// no word
export function turnOf(problem, hand, left, tiles) {
  const [play] = problem.finder.best(tiles, 1, sizeOf(tiles));
  if (!play) return null;
  const rack = drawn(problem, hand, left);
  return [
    { left, ...play },
    { ...rack, leave: minus(rack.leave, tiles) },
  ];
}

export function afterAll(problem, turns) {
  return turns.reduce((hand, turn) => {
    const rack = drawn(problem, hand, turn.left);
    return { ...rack, leave: minus(rack.leave, countsOf(encode(turn.tiles))) };
  }, newHand());
}
