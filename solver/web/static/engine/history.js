// The history of a beam: the kept states of its layers, and the lines of play that lead to them.

import { afterAll, draw, sorted, without } from "../rules.js";
import { unpacked } from "./layer.js";
import { CLOSED, decode, unrank } from "./tiles.js";

export class History {
  // puzzle: with the `finder` of its plays; before: the turns from which the beam starts, `first` tiles played in all
  constructor(puzzle, before, first) {
    Object.assign(this, { puzzle, before, first });
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
    let at = afterAll(this.puzzle, turns);
    let score = 0;
    for (const move of moves.reverse()) {
      const steps = move.secondLength ? this.twoTurns(at, move, move.score - score) : [this.turn(at, move.left, move)];
      turns.push(...steps);
      at = steps.at(-1).after;
      ({ score } = move);
    }
    return turns;
  }

  // the best turn that draws `left` tiles from the left and keeps exactly `leave`; null if there is none
  turn(at, left, { leave }) {
    const { rack, start, end } = draw(this.puzzle, at, left);
    const tiles = without(rack, leave);
    const [play] = tiles === null ? [] : this.puzzle.finder.best(tiles, 1, tiles.length);
    return play ? { left, ...play, after: { start, end, leave } } : null;
  }

  // a move does not record which tiles its two turns play, so every choice of tiles for the first is tried
  twoTurns(at, { left, length, secondLeft, leave }, gained) {
    const { rack } = draw(this.puzzle, at, left);
    for (const tiles of choicesOf(sorted(rack), length)) {
      const one = this.turn(at, left, { leave: without(rack, tiles) });
      const two = one && this.turn(one.after, secondLeft, { leave });
      if (two && one.score + two.score === gained) return [one, two];
    }
    throw new Error("no two turns make this step");
  }
}

function leaveOf(rank) {
  const tiles = new Uint8Array(CLOSED);
  return decode(tiles.subarray(0, unrank(rank, tiles)));
}

// all distinct choices of `length` of these sorted tiles
function* choicesOf(tiles, length, from = 0) {
  if (length === 0) {
    yield "";
    return;
  }
  for (let at = from; at <= tiles.length - length; at++) {
    if (at > from && tiles[at] === tiles[at - 1]) continue;
    for (const rest of choicesOf(tiles, length - 1, at + 1)) yield tiles[at] + rest;
  }
}
