// What is known of a row: the games found so far, as the turns that lead from position to position. All figures of the
// page come from here, so they agree; and since no turn is forgotten, more knowledge makes none of them worse.

import { Game, turnOf } from "./game.js";
import { gradeOf } from "./grades.js";

export class Known {
  // by state: the turns found there, each { turn, line, points, after: the state that it leads to } by its line
  #next = new Map();
  #more = new Map(); // by state: the most points that the turns found add after it; computed when they are asked for
  #reviewed = new Map(); // by state: the games that its own search found

  // puzzle: the answer of `puzzleOf`; changed: called when anything was learnt
  constructor(puzzle, changed = () => {}) {
    this.puzzle = puzzle;
    this.start = new Game(puzzle).state();
    this.changed = () => {};
    this.bound = puzzle.bound ?? null;
    const given = puzzle.game ?? [];
    this.learn(given);
    const best = this.#game(given);
    // every turn of a proven game is the best one
    if (this.isProven) for (const count of countsOf(best)) this.review(best, count, [given]);
    this.changed = changed;
  }

  // learn from the lines of a game
  learn(lines) {
    const game = this.#game(lines);
    let isNew = false;
    game.turns.forEach((turn, count) => {
      const turns = this.#turnsAt(game.state(count));
      const line = lines[count];
      if (turns.has(line)) return;
      turns.set(line, { turn, line, points: game.points(turn.tiles), after: game.state(count + 1) });
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

  #game(lines) {
    return new Game(this.puzzle, lines.map(turnOf));
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
    return this.#next.has(this.start) ? this.#moreAfter(this.start) : 0;
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

  // the position after `count` turns was searched, which found these games
  review(game, count, games) {
    this.#reviewed.set(game.state(count), games);
    this.changed();
  }

  // after how many turns of a game there are positions whose best continuation is not known yet; none in a perfect game
  unknown(game) {
    if (this.isProven && game.score === this.best) return [];
    return countsOf(game).filter((count) => !this.#reviewed.has(game.state(count)));
  }

  // what each turn of a game lost: [{ reach: after it, lost, grade, better: the turn that loses nothing }]; null until
  // all of its positions are known
  losses(game) {
    const isKnown = !this.unknown(game).length;
    return game.turns.map((_, number) => (isKnown ? this.#loss(game, number) : null));
  }

  #loss(game, number) {
    const reach = this.reach(game, number + 1);
    const lost = this.reach(game, number) - reach;
    const [better] = lost > 0 ? this.lines(new Game(game.puzzle, game.turns.slice(0, number))) : [];
    return { reach, lost, grade: gradeOf(lost, this.best), better: better?.turn };
  }

  // The grades of a game by the searches of its own positions, so that two players with the same game get the same
  // ones, whatever else their pages have found; null until they are known.
  grades(game) {
    if (this.unknown(game).length) return null;
    const own = new Known(this.puzzle);
    const games = countsOf(game).flatMap((count) => this.#reviewed.get(game.state(count)) ?? []);
    for (const lines of [game.lines(), ...games]) own.learn(lines);
    return game.turns.map((_, number) => own.#loss(game, number).grade);
  }
}

// the numbers of turns after which a game has positions
const countsOf = (game) => [...game.turns.keys(), game.turns.length];
