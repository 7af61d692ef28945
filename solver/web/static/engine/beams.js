// Beam search over layers of tiles played, as in solver/search/beam.py: a layer keeps the `width` states of highest
// priority, the score less a price for every tile used up.

import { afterAll } from "../rules.js";
import { drawnRacks } from "./draws.js";
import { Expander } from "./expand.js";
import { Fisher } from "./fisher.js";
import { History } from "./history.js";
import { ADMIT_NOTHING, Layer, LearntCutoffs, NO_CUTOFF } from "./layer.js";
import { SCALE } from "./prices.js";
import { RatedPlays } from "./rated.js";
import { CLOSED, countsOf, encode, rankOf } from "./tiles.js";

const PILOTED = 80; // the least width with a pilot beam
const PILOT_SHARE = 8; // the width divided by that of its pilot
const FISHING = 5 * SCALE; // the most by which a first play may fall below the cut-off of its layer
const REACH = 2 * CLOSED; // the most tiles of one step
const ALL = 2 ** 30; // a width that no layer reaches

export class Beams {
  // problem: see `Desk.problem`; prices: of tiles, by code
  constructor({ codes, row, rack, tables }, prices) {
    const { lexicon, finder, index } = tables;
    Object.assign(this, { codes, puzzle: { row, rack, finder }, prices });
    const rated = new RatedPlays(index, prices);
    this.fisher = new Fisher(codes, index, rated, prices);
    this.expander = new Expander(index, rated, prices, this.fisher);
    this.last = codes.length - lexicon.shortest; // after more tiles than that no word fits the rest
    this.start = "";
    this.taught = this.learnt = new LearntCutoffs();
  }

  // the best game of a beam that continues the turns `before`, with the first cut-offs from a narrower pilot beam
  async searchPiloted(width, before, run) {
    if (width >= PILOTED) await this.search(Math.floor(width / PILOT_SHARE), before, run);
    return run.isOver ? null : this.search(width, before, run);
  }

  // Return the turns of the best game found: the whole game, or what there is of it when the run is over. run: has
  // `isOver`, and `layer(width, done, total, racks)`, awaited before each layer
  async search(width, before, run) {
    const tiles = this.codes.length;
    const first = this.begin(before);
    const layers = new Map([[first, this.firstLayer]]);
    let best = { played: first, place: 0, score: 0 };
    let racks = 0;
    for (let played = first; played <= tiles; played++) {
      const layer = layers.get(played);
      if (!layer?.count) continue;
      layers.delete(played);
      const states = layer.close();
      this.history.keep(played, states);
      const leader = states.score.reduce((found, score, at) => (score > states.score[found] ? at : found), 0);
      if (states.score[leader] > best.score) best = { played, place: leader, score: states.score[leader] };
      if (played > this.last) continue;
      this.learnt.learn(played, states.priority, width);
      await run.layer(width, played, tiles, racks);
      if (run.isOver) break;
      racks += this.expand(states, played, width, layers);
    }
    return this.history.turnsTo(best.played, best.place);
  }

  begin(before) {
    const { codes, puzzle } = this;
    const at = afterAll(puzzle, before);
    const leave = encode(at.leave);
    const rank = rankOf(countsOf(leave));
    const rest = [...codes.slice(at.start, at.end), ...leave];
    const first = codes.length - rest.length;
    // the price of all tiles that may still be played
    this.cost = rest.reduce((total, code) => total + this.prices[code], 0);
    // priorities count from the start, so cut-offs learnt from another start do not apply
    const start = `${rank} ${at.start} ${first}`;
    this.taught = this.start === start ? this.learnt : new LearntCutoffs();
    this.learnt = new LearntCutoffs();
    this.start = start;
    this.history = new History(puzzle, before, first);
    this.firstLayer = new Layer(1);
    this.firstLayer.put(rank, at.start, 0, 0, 0, 0);
    return first;
  }

  // expand a layer into those after it, and return the number of racks
  expand(states, played, width, layers) {
    const row = this.codes;
    const { rack } = this.puzzle;
    const racks = drawnRacks(states, row, played, rack);
    const ahead = []; // by tiles played from here
    for (let length = 1; length <= Math.min(REACH, row.length - played); length++) {
      const at = played + length;
      // priorities mean nothing where games end: all states that may be the best are kept
      if (!layers.has(at))
        layers.set(at, at > this.last ? new Layer(ALL) : new Layer(width, this.taught.floor(at, width)));
      ahead[length] = layers.get(at);
    }
    const final = ahead.filter((layer) => layer?.width === ALL);
    let best = -1;
    const watch = () => {
      // of finished games only the best counts; its priority pays for all tiles
      const now = final.reduce((most, layer) => Math.max(most, layer.best), 0);
      if (now > best) for (const layer of final) layer.cutoff = SCALE * now - this.cost;
      best = now;
    };
    let setups = null;
    // without learnt cut-offs for the layers ahead, every second play would pass
    if (this.taught.any) {
      setups = this.setups(ahead);
      const landings = ahead.map((layer, length) =>
        layer.width === ALL ? NO_CUTOFF : this.taught.cutoff(played + length),
      );
      this.fisher.begin(ahead, landings, Math.min(row.length, played + rack));
    }
    this.expander.expand(racks, ahead, setups, watch);
    return racks.count;
  }

  // the cut-offs of first plays, by length
  setups(ahead) {
    const setups = new Int32Array(CLOSED + 1).fill(ADMIT_NOTHING);
    for (let length = 1; length <= CLOSED && length < ahead.length; length++) {
      // a layer that is not full takes every play, so a second play is not needed to reach it
      const least = ahead[length].width === ALL ? NO_CUTOFF : ahead[length].settle();
      if (least > NO_CUTOFF) setups[length] = least - FISHING;
    }
    return setups;
  }
}
