// The history of a beam: the kept states of its layers, and the lines of play that lead to them.

import { afterAll, drawn, minus, turnOf } from "./hand.js";
import { unpacked } from "./layer.js";
import { CLOSED, codesOf, countsOf, unrank } from "./tiles.js";

export class History {
  // before: the turns from which the beam starts, `first` tiles played in all
  constructor(problem, before, first) {
    Object.assign(this, { problem, before, first });
    this.layers = new Map();
  }

  keep(played, states) {
    this.layers.set(played, states);
  }

  // the turns that lead to a state, those before the beam included
  turnsTo(played, place) {
    const moves = [];
    while (played > this.first) {
      const states = this.layers.get(played);
      const move = unpacked(states.move[place]);
      moves.push({ ...move, leave: leaveOf(states.rank[place]), score: states.score[place] });
      played -= move.length + move.secondLength;
      place = states.parent[place];
    }
    const turns = [...this.before];
    let hand = afterAll(this.problem, turns);
    let score = 0;
    for (const move of moves.reverse()) {
      const step = move.secondLength ? this.twoTurns(hand, move, move.score - score) : this.oneTurn(hand, move);
      turns.push(...step.turns);
      ({ hand } = step);
      ({ score } = move);
    }
    return turns;
  }

  oneTurn(hand, { left, leave }) {
    const [turn, after] = turnOf(this.problem, hand, left, minus(drawn(this.problem, hand, left).leave, leave));
    return { turns: [turn], hand: after };
  }

  // a move does not record which tiles its two turns play, so every choice of tiles for the first is tried
  twoTurns(hand, { left, length, secondLeft, leave }, gained) {
    const rack = drawn(this.problem, hand, left);
    for (const first of choicesOf(codesOf(rack.leave), length)) {
      const between = { ...rack, leave: minus(rack.leave, countsOf(first)) };
      const held = drawn(this.problem, between, secondLeft).leave;
      if (held.some((copies, code) => copies < leave[code])) continue;
      const one = turnOf(this.problem, hand, left, countsOf(first));
      const two = one && turnOf(this.problem, one[1], secondLeft, minus(held, leave));
      if (two && one[0].score + two[0].score === gained) return { turns: [one[0], two[0]], hand: two[1] };
    }
    throw new Error("no two turns make this step");
  }
}

function leaveOf(rank) {
  const tiles = new Uint8Array(CLOSED);
  return countsOf(tiles.subarray(0, unrank(rank, tiles)));
}

// all distinct choices of `length` of these sorted codes, in lexicographic order
function* choicesOf(codes, length, from = 0) {
  if (length === 0) {
    yield [];
    return;
  }
  for (let at = from; at <= codes.length - length; at++) {
    if (at > from && codes[at] === codes[at - 1]) continue;
    for (const rest of choicesOf(codes, length - 1, at + 1)) yield [codes[at], ...rest];
  }
}
