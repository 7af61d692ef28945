// Answers about puzzles and games: the one engine of the page, with a server and without.

import { Refused } from "../failures.js";
import { afterAll, choices, draw, lineOf, sorted, without } from "../rules.js";
import { ClosedIndex } from "./closed.js";
import { FORMS } from "./forms.js";
import { judge, read, replay, turnsIn } from "./judge.js";
import { PlayFinder } from "./plays.js";
import { CHALLENGE, named } from "./puzzles.js";
import { Scoring } from "./scoring.js";
import { shownGame } from "./shown.js";
import { encode } from "./tiles.js";

const PLAYS = 30; // best plays of a rack

export class Desk {
  // data: see data.js; ownLexicon: the words of its puzzle `own`
  constructor(data, lexicon, ownLexicon = lexicon) {
    Object.assign(this, { data, lexicon, ownLexicon });
    this.tables = new Map(); // finders and indexes, by the rules that they depend on
  }

  // the puzzle that `asked` names: { row } as text, { codes } the same as codes, and what its rules give
  problem(asked) {
    const puzzle = named(this.data, asked);
    const { name, row, rack, values, bonus } = puzzle;
    const lexicon = puzzle.hasOwnWords ? this.ownLexicon : this.lexicon;
    const key = JSON.stringify([rack, values, bonus, lexicon === this.lexicon]);
    if (!this.tables.has(key)) this.tables.set(key, new Tables(lexicon, values, rack, bonus));
    const rules = {
      name,
      row,
      rack,
      values,
      bonus,
      has: (word) => lexicon.has(word),
      whereListed: (word) => this.whereListed(word, lexicon),
    };
    return { ...puzzle, codes: encode(row), rules, tables: this.tables.get(key) };
  }

  whereListed(word, lexicon) {
    return lexicon === this.lexicon && this.data.otherCopies.includes(word)
      ? "; copies of enable1 with 172,823 words hold it, the copy that the challenge links does not"
      : "";
  }

  gameOf(problem, lines) {
    return replay(problem.rules, turnsIn(lines));
  }

  // the turns of a game: [{ left, tiles, word, score }]; throws the referee's fault
  turnsOf(problem, lines) {
    const { turns, fault } = this.gameOf(problem, lines);
    if (fault) throw new Refused(fault.message);
    return turns.map(turnOf);
  }

  positionOf(asked, lines) {
    const problem = this.problem(asked);
    const { turns, score, fault } = this.gameOf(problem, lines);
    const legal = turns.map(turnOf);
    return {
      turns: legal.map(lineOf),
      faults: faultsOf(fault),
      score: legal.at(-1)?.score ?? 0,
      total: score,
      over: !this.canPlay(problem, legal),
    };
  }

  // the racks after every draw that leads to another hand
  racks(problem, turns) {
    const at = afterAll(problem, turns);
    return Array.from({ length: choices(problem, at) }, (_, left) => draw(problem, at, left).rack);
  }

  canPlay(problem, turns) {
    return this.racks(problem, turns).some((rack) => problem.tables.finder.best(rack).length > 0);
  }

  playsOf(asked, lines) {
    const problem = this.problem(asked);
    return this.racks(problem, this.turnsOf(problem, lines)).map((drawn, left) => {
      const rack = sorted(drawn);
      const plays = problem.tables.finder.best(rack, PLAYS);
      return { left, rack, plays: plays.map((play) => ({ ...play, leave: without(rack, play.tiles) })) };
    });
  }

  // the answer in a text, judged on the puzzle that it names, or else on this one: { problem, verdict }
  judged(asked, text) {
    const here = this.problem(asked);
    const answer = read(text);
    const isHere = !answer.asked || answer.asked.row === here.row;
    const problem = isHere ? here : this.problem(answer.asked);
    return { problem, verdict: judge(answer, problem.rules) };
  }

  verdictsOn(asked, text) {
    const { problem, verdict } = this.judged(asked, text);
    const { score, fault, turns } = verdict;
    const game = shownGame(verdict, problem.rules);
    const facts = { asked: problem.asked, name: "", puzzle: problem.name, valid: !fault };
    return [{ ...facts, score, turns: turns.length, faults: faultsOf(fault), game }];
  }

  shown(asked, lines) {
    const problem = this.problem(asked);
    return shownGame(this.gameOf(problem, lines), problem.rules);
  }

  gameAs(asked, lines, form) {
    const problem = this.problem(asked);
    const game = this.gameOf(problem, lines);
    if (game.fault) throw new Refused(game.fault.message);
    return FORMS[form]({ ...shownGame(game, problem.rules), comments: this.comments(problem) });
  }

  // the comments with which an answer states its row; none for the challenge
  comments({ name, row, comments }) {
    const { puzzles } = this.data;
    if (comments !== undefined) return comments;
    if (row === puzzles[CHALLENGE].row) return "";
    return puzzles[name] ? `# puzzle ${name}\n` : `# row ${row}\n`;
  }

  recordBook() {
    return Object.entries(this.data.puzzles).map(([puzzle, { turns, bound }]) => {
      const problem = this.problem({ name: puzzle });
      return { puzzle, best: this.gameOf(problem, turns).score, bound, turns };
    });
  }
}

// the indexes of the words under one scoring, each made at its first use
class Tables {
  #finder = null;
  #index = null;

  constructor(lexicon, values, rack, bonus) {
    this.lexicon = lexicon;
    this.rack = rack;
    this.scoring = new Scoring(values, rack, bonus);
  }

  get finder() {
    return (this.#finder ??= new PlayFinder(this.lexicon, this.scoring));
  }

  get index() {
    return (this.#index ??= new ClosedIndex(this.lexicon, this.scoring, this.rack));
  }
}

const faultsOf = (fault) => (fault ? [{ line: fault.line, message: fault.message }] : []);
const turnOf = ({ left, play, word, score }) => ({ left: left.length, tiles: play, word, score });
