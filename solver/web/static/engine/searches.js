// Searches: they send events until they are done, or until the run is over. See `search` in ../api.js for kinds and
// events.

import { Refused } from "../failures.js";
import { after, afterAll, choices, draw, lineOf, sorted } from "../rules.js";
import { Beams } from "./beams.js";
import { SCALE, tilePrices } from "./prices.js";
import { CLOSED, encode } from "./tiles.js";

const WIDTHS = [25, 200, 1_000]; // of the beams that continue a position
const TRIED = [40, 12, 5]; // plays that beams of these widths continue
const COMPARED = 60; // best plays of a draw, by points, from which the promising ones are chosen
const FIRST_WIDTH = 50; // of widening, whose beams grow by FACTOR
const FACTOR = 3;
const SPREAD = [1 / 1.15, 1.15]; // the shares of prices of widening's beams
const WIDEST = 20_000;
const STRATEGIES = /^(?:(greedy|widening)|(beam)(?::width=(\d{1,6}))?)$/;
const STANDARD = 2_000; // the width of a beam
const PAUSE = 10; // milliseconds between two looks at the messages

// A run of a search. post: called with each event
export class Run {
  #paused = 0; // when messages were let in last

  constructor(post, seconds = Infinity) {
    Object.assign(this, { post, seconds, racks: 0, isStopped: false, best: 0 });
    this.began = performance.now();
    this.beams = new Map(); // by share of prices: beams learn from narrower ones of the same search
    this.reports = false;
  }

  get elapsed() {
    return (performance.now() - this.began) / 1000;
  }

  get isOver() {
    return this.isStopped || this.elapsed > this.seconds;
  }

  // before each layer: let messages in, one of which may stop the run
  async layer(width, done, total, racks) {
    if (this.reports) {
      const counted = { racks: this.racks + racks, score: this.best };
      this.post({
        event: "progress",
        label: `beam ${width.toLocaleString("en")}`,
        done,
        total,
        seconds: this.elapsed,
        ...counted,
      });
    }
    if (performance.now() - this.#paused < PAUSE) return;
    // a timer would wait for milliseconds
    const { port1, port2 } = new MessageChannel();
    await new Promise((resume) => {
      port1.onmessage = resume;
      port2.postMessage(null);
    });
    port1.close();
    this.#paused = performance.now();
  }
}

function beamsOf(problem, positions, run, share = 1) {
  if (!run.beams.has(share)) {
    const { codes, rack, tables } = problem;
    const prices = tilePrices(codes, rack, tables.scoring.values, positions, share);
    run.beams.set(share, new Beams(problem, prices));
  }
  return run.beams.get(share);
}

async function best(problem, positions, run, turns, width) {
  const found = await beamsOf(problem, positions, run).searchPiloted(width, turns, run);
  if (found) sendGame(run, found);
  return found ? scoreOf(found) : 0;
}

const scoreOf = (turns) => turns.reduce((total, turn) => total + turn.score, 0);
const sendGame = (run, turns) =>
  run.isStopped || run.post({ event: "game", score: scoreOf(turns), turns: turns.map(lineOf) });

const KINDS = {
  async reach(problem, turns, run, { positions }) {
    for (const width of WIDTHS) await best(problem, positions, run, turns, width);
  },

  // the widest beams continue only the plays that narrower ones found best
  async plays(problem, turns, run, { positions }) {
    let tried = promising(problem, turns, beamsOf(problem, positions, run).prices).slice(0, TRIED[0]);
    for (const [step, width] of WIDTHS.entries()) {
      await best(problem, positions, run, turns, width);
      const scores = [];
      for (const turn of tried.slice(0, TRIED[step])) {
        if (run.isOver) return;
        scores.push([turn, await best(problem, positions, run, [...turns, turn], width)]);
      }
      tried = scores.sort((one, other) => other[1] - one[1]).map(([turn]) => turn);
    }
  },

  // only the solver computes bounds
  async bound() {},

  async solve(problem, turns, run, { positions, strategy }) {
    const [, name, , width] = STRATEGIES.exec(strategy) ?? refuse(strategy);
    run.reports = true;
    const offer = (found) => {
      if (!found || run.isStopped || scoreOf(found) < run.best) return;
      run.best = scoreOf(found);
      run.post({ event: "better", score: run.best, turns: found.map(lineOf), seconds: run.elapsed, bound: null });
    };
    if (!name)
      return offer(await beamsOf(problem, positions, run).searchPiloted(Number(width ?? STANDARD), turns, run));
    offer(greedy(problem, turns));
    for (let wide = FIRST_WIDTH; name === "widening" && wide <= WIDEST && !run.isOver; wide *= FACTOR) {
      for (const share of SPREAD)
        if (!run.isOver) offer(await beamsOf(problem, positions, run, share).search(wide, turns, run));
    }
  },
};

function refuse(strategy) {
  throw new Refused(
    `strategy '${String(strategy).slice(0, 60)}': expected greedy, beam, beam:width=N or widening; the solver has more`,
  );
}

// run a search of `kind` from the position after `turns`
export async function search(kind, problem, turns, run, settings) {
  if (problem.rack > CLOSED)
    throw new Refused(`a rack of ${problem.rack} tiles: expected at most ${CLOSED} for a search on this page`);
  await KINDS[kind](problem, turns, run, settings);
}

// the best plays of every draw, up to `most` of each, with their draws
function plays(problem, at, most) {
  const draws = Array.from({ length: choices(problem, at) }, (_, left) => left);
  return draws.flatMap((left) => {
    return problem.tables.finder.best(draw(problem, at, left).rack, most).map((play) => ({ left, ...play }));
  });
}

// turns that may continue a position, by the priority that a beam gives them: the best word of each set of tiles
function promising(problem, turns, prices) {
  const found = new Map();
  for (const turn of plays(problem, afterAll(problem, turns), COMPARED)) {
    const key = `${turn.left} ${sorted(turn.tiles)}`;
    const priority = SCALE * turn.score - encode(turn.tiles).reduce((total, code) => total + prices[code], 0);
    if (!found.has(key)) found.set(key, [priority, turn]); // plays come best first
  }
  return [...found.values()].sort((one, other) => other[0] - one[0]).map(([, turn]) => turn);
}

// the game that goes on with the best play of any draw in each turn; of equal ones that of fewer tiles, then of fewer
// left draws
export function greedy(problem, turns) {
  const line = [...turns];
  let at = afterAll(problem, turns);
  for (;;) {
    const [turn] = plays(problem, at, 4).sort(
      (one, other) => other.score - one.score || one.tiles.length - other.tiles.length || one.left - other.left,
    );
    if (!turn) return line;
    at = after(problem, at, turn);
    line.push(turn);
  }
}
