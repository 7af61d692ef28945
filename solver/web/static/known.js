// What is known of a row: the games found so far, as the turns that lead from position to position. All figures of the
// page come
// from here, so they agree; and since no turn is forgotten, more knowledge makes none of them worse.

import { Game, turnOf } from "./game.js";

const START = "0,0,"; // the state before the first draw

export class Known {
  // by state: the turns found there, each { turn, line, points, after: the state that it leads to } by its line
  #next = new Map();
  #more = new Map(); // by state: the most points that the turns found add after it; computed when they are asked for

  // puzzle: the answer of `puzzleOf`; changed: called when anything was learnt
  constructor(puzzle, changed) {
    this.puzzle = puzzle;
    this.changed = () => {};
    this.bound = puzzle.bound ?? null;
    this.learn(puzzle.game ?? []);
    this.changed = changed;
  }

  // learn from the lines of a game
  learn(lines) {
    const game = new Game(this.puzzle, lines.map(turnOf));
    let isNew = false;
    game.turns.forEach((turn, count) => {
      const turns = this.#turnsAt(game.state(count));
      if (turns.has(lines[count])) return;
      turns.set(lines[count], {
        turn,
        line: lines[count],
        points: game.points(turn.tiles),
        after: game.state(count + 1),
      });
      isNew = true;
    });
    this.#turnsAt(game.state());
    if (!isNew) return;
    this.#more.clear();
    this.changed();
  }

  // learn that no game has more than `bound` points
  limit(bound) {
    if (this.bound !== null && bound >= this.bound) return;
    this.bound = bound;
    this.changed();
  }

  #turnsAt(state) {
    if (!this.#next.has(state)) this.#next.set(state, new Map());
    return this.#next.get(state);
  }

  #moreAfter(state) {
    if (!this.#more.has(state)) {
      const sums = [...this.#turnsAt(state).values()].map(({ points, after }) => points + this.#moreAfter(after));
      this.#more.set(state, Math.max(0, ...sums));
    }
    return this.#more.get(state);
  }

  // the best score found for a game that begins with the first `count` turns of `game`; null if none was found
  reach(game, count = game.turns.length) {
    const state = game.state(count);
    return this.#next.has(state) ? game.scoreAfter(count) + this.#moreAfter(state) : null;
  }

  // the turns that games found so far play next, best first: [{ turn, line, points, reach, loss }]; one for each
  // position reached
  lines(game) {
    const found = new Map();
    for (const { turn, line, points, after } of this.#next.get(game.state())?.values() ?? []) {
      const reach = game.score + points + this.#moreAfter(after);
      if (reach > (found.get(after)?.reach ?? -1))
        found.set(after, { turn, line, points, reach, loss: this.reach(game) - reach });
    }
    return [...found.values()].sort((one, other) => other.reach - one.reach || other.points - one.points);
  }

  // the best score found; 0 if no game was
  get best() {
    return this.#next.has(START) ? this.#moreAfter(START) : 0;
  }

  // the lines of the best game found
  get bestGame() {
    const game = new Game(this.puzzle);
    for (let next = this.lines(game)[0]; next; next = this.lines(game)[0]) game.play(next.turn);
    return game.lines();
  }

  // the score that no game exceeds, in whole points; null if it is not known
  get most() {
    return this.bound === null ? null : Math.floor(this.bound + 1e-9);
  }

  get isProven() {
    return this.most !== null && this.best >= this.most;
  }

  // what each turn of a game lost: [{ reach: after it, lost, better: the turn that loses nothing }]; null where it is
  // not known
  losses(game) {
    return game.turns.map((_, number) => {
      const before = this.reach(game, number);
      const after = this.reach(game, number + 1);
      if (before === null || after === null) return null;
      const better = before > after ? this.lines(new Game(game.puzzle, game.turns.slice(0, number)))[0].turn : null;
      return { reach: after, lost: before - after, better };
    });
  }
}

// The grade of a turn by the part of the row's best score that it lost, as chess players mark moves.
const GRADES = [
  [0.03, "??", "a blunder"],
  [0.015, "?", "a mistake"],
  [0.005, "?!", "inaccurate"],
];

export function gradeOf(lost, best) {
  const [, mark, name] = GRADES.find(([least]) => lost > 0 && lost >= least * best) ?? [0, "", ""];
  return { mark, name };
}
